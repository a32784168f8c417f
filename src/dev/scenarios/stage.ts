import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../ledger/ledger';
import type { OperationEvent, Recorded } from '../../operations/event';
import type { FakeStripe } from '../../testing/fake-stripe/fake-stripe';
import type { Order } from '../shop/order';
import type { RefundRequests } from '../shop/refund-requests';
import type { Actor } from '../story/teller';
import type { WorkerConfig } from '../workers/worker-config';
import type { FleetWorker } from '../workers/worker-fleet';
import type { Chat, Speaker } from './chats';

/**
 * The parts of a running demo that a scenario plays on, from outside: customers, the shop's backend, the provider, the
 * wires, the processes.
 */
export interface Stage {
  /** False with the tool as commonly written. */
  readonly guarded: boolean;
  readonly tenant: string;
  readonly order: Order;
  readonly requests: RefundRequests;
  readonly fake: FakeStripe;
  readonly ledger: Ledger;
  /** The worker that was started first. */
  readonly worker: FleetWorker;
  startWorker(change?: Partial<WorkerConfig>): Promise<FleetWorker>;
  /** Opens a conversation. */
  open(speaker?: Speaker): Chat;
  /** A line of the story, about a worker unless it is about another. */
  tell(text: string, actor?: Actor): void;
}

/** How long a scenario waits for what must happen; far above what it takes, so that only a defect reaches it. */
const PATIENCE_MS = 60_000;
const POLL_MS = 25;

/** The operation of the order's first missing line. */
export function operationIdOf({ order }: Stage): string {
  const line = order.lines.find((candidate) => !candidate.shipped);
  return `refund-${order.id}-${line?.id ?? ''}`;
}

/** Waits until the operation's history has `count` events of this kind that fit; gives them. */
export async function untilEvents<Kind extends OperationEvent['kind']>(
  stage: Stage,
  kind: Kind,
  count: number,
  fits: (event: Recorded<Extract<OperationEvent, { kind: Kind }>>) => boolean = () => true,
): Promise<Recorded<Extract<OperationEvent, { kind: Kind }>>[]> {
  const operationId = operationIdOf(stage);
  return until(`${count} × ${kind} of ${operationId}`, async () => {
    const { events } = await stage.ledger.load({ tenant: stage.tenant, operationId });
    const found = events.filter(
      (event): event is Recorded<Extract<OperationEvent, { kind: Kind }>> => event.kind === kind,
    );
    const fitting = found.filter(fits);
    return fitting.length >= count ? fitting : null;
  });
}

/** Waits until the ledger's clock has passed this moment. */
export async function untilLedgerTime(stage: Stage, instant: number): Promise<void> {
  await until('the ledger’s time', async () => {
    const { now } = await stage.ledger.load({ tenant: stage.tenant, operationId: operationIdOf(stage) });
    return now > instant ? true : null;
  });
}

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (patience.aborted) throw new Error(`Waited ${PATIENCE_MS / 1_000} s in vain for ${what}.`);
    await sleep(POLL_MS);
  }
}
