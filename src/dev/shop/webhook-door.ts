import Stripe from 'stripe';
import { startWebhookDoor } from '../../console/start-webhook-door';
import { stripeRefunds } from '../../providers/stripe';
import type { WebhookTarget } from '../../testing/fake-stripe/webhooks';
import type { Orders } from './orders';
import { refundLineItem } from './refund-line-item';

/** Both ends are ours, and on this machine. */
const SIGNING_SECRET = 'whsec_demo';

/** The door that the fake Stripe posts its webhooks to. */
export interface ShopWebhookDoor {
  readonly target: WebhookTarget;
  stop(): Promise<void>;
}

export async function openWebhookDoor(options: {
  readonly databaseUrl: string;
  readonly orders: Orders;
  /** Called after something new was recorded. */
  readonly onRecorded: () => Promise<void>;
  readonly log: (line: string) => void;
}): Promise<ShopWebhookDoor> {
  const { databaseUrl, orders, onRecorded, log } = options;
  const provider = stripeRefunds({
    // A door asks nothing, so no address is needed.
    connect: (config) => new Stripe('sk_test_demo', config),
    webhookSecret: SIGNING_SECRET,
  });
  const door = await startWebhookDoor({
    tools: [refundLineItem(orders, provider)],
    port: 0,
    database: { url: databaseUrl },
    onRecorded,
    log,
  });
  const [path = ''] = door.paths;
  // The door goes by this machine's clock, and a scenario may have moved the fake's.
  return { target: { url: `${door.url}${path}`, secret: SIGNING_SECRET, now: Date.now }, stop: () => door.stop() };
}
