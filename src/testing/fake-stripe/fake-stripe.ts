import type { ArmedFault } from './armed-fault';
import type { Lag } from './fact';
import type { Fault } from './fault';
import type { HappeningListener } from './narration';
import type { Payment } from './payment';
import type { NextRefunds } from './planned-statuses';
import type { RefundStatus } from './refund';
import type { Report, ReportScope } from './report';
import type { HandRefundOrder, PaymentOrder } from './set-up';
import type { Webhooks, WebhookTarget } from './webhooks';

/** How a fake Stripe starts; nothing is required. */
export interface FakeStripeOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Keeps the data in this file and starts with what it holds. Without it everything ends with the process. */
  readonly journalFile?: string;
  readonly webhook?: WebhookTarget;
  /** The base clock, in milliseconds since the Unix epoch: the real one by default. */
  readonly now?: () => number;
  /** The only secret key that is let in. Without it any is. */
  readonly apiKey?: string;
  /** Real milliseconds that making a refund takes; its key is in use so long. 0 by default: then requests follow each other. */
  readonly executionMs?: number;
  /** Whether "already refunded" and "greater than unrefunded amount" are stored with the key. True by default. */
  readonly storesRefusals?: boolean;
  /** What a list of refunds of another account's payment gives: 404 by default, or an empty list. */
  readonly unknownTargetLists?: 'missing' | 'empty';
}

/** A Stripe of refunds and events on 127.0.0.1, for the real SDK, that misbehaves on command and counts what it did. */
export interface FakeStripe {
  /** For the SDK: `new Stripe('sk_test_1', { host, port, protocol })`. */
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http';
  readonly url: string;

  /** A payment that succeeded. Again with the same facts it changes nothing; with others under one ID it throws. */
  addPayment(order: PaymentOrder): Payment;
  /** A refund as from the dashboard: an effect without a send. Returns its ID. */
  refundByHand(order: HandRefundOrder): string;
  /** What the next refunds of the API will be. */
  nextRefunds(next: NextRefunds): void;
  /** Moves a refund on, with its events. Throws `RefundChangeError` where the status cannot follow the present one. */
  settle(refundId: string, status: RefundStatus, reason?: string): void;

  /** Lets queries see the data as they were so long ago, on the fake's clock. What is left out becomes 0. */
  setLag(lag: Partial<Lag>): void;
  arm(fault: Fault): ArmedFault;
  /** No armed fault meets a further request. What is held stays held. */
  disarmAll(): void;
  /** Lets go of everything that is held. */
  releaseAll(): void;
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  readonly webhooks: Webhooks;

  /** From here `report` counts anew. */
  startRun(): void;
  report(scope?: ReportScope): Report;

  now(): number;
  /** Moves the fake's clock forward. */
  advanceClock(ms: number): void;
  /** Tells what happens as it happens. Returns the function that ends it. */
  onEvent(listener: HappeningListener): () => void;

  /** Ends every connection; what was held executes nothing any more. The journal keeps the data. */
  close(): Promise<void>;
}
