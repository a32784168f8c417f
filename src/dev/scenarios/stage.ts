import type { SendonceClient } from '../../client/connect-client';
import type { Ledger } from '../../ledger/ledger';
import type { OperationEvent, PersonVerdict, Recorded } from '../../operations/event';
import { fold, type Operation } from '../../operations/fold';
import type { State } from '../../operations/state';
import type { Duration } from '../../operations/time';
import type { FakeStripe } from '../../testing/fake-stripe/fake-stripe';
import type { Order } from '../shop/order';
import type { RefundRequests } from '../shop/refund-requests';
import type { Actor } from '../story/teller';
import type { WorkerConfig } from '../workers/worker-config';
import type { FleetWorker } from '../workers/worker-fleet';
import type { Chat, Speaker } from './chats';
import { until } from './until';

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
  readonly client: SendonceClient;
  /** The worker that was started first. */
  readonly worker: FleetWorker;
  startWorker(change?: Partial<WorkerConfig>): Promise<FleetWorker>;
  /** Opens a conversation. */
  open(speaker?: Speaker): Chat;
  /** Moves the ledger's and the provider's clock together, and wakes reconciliation. */
  moveClock(by: Duration): Promise<void>;
  /** Nothing is sent to the provider until it is resumed. */
  pauseProvider(): Promise<void>;
  resumeProvider(): Promise<void>;
  /** Ends a workflow by force: nothing of it runs any more. */
  terminate(workflowId: string): Promise<void>;
  /** Waits until nothing is under way in the conversations and everything that became settled was told in them. */
  untilQuiet(): Promise<void>;
  /** A line of the story, about a worker unless it is about another. */
  tell(text: string, actor?: Actor): void;
}

/** Who looks into what nothing automatic can settle. */
export const PERSON = 'ann';

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

/** Waits until the operation is in this state; gives it. */
export async function untilState(stage: Stage, state: State): Promise<Operation> {
  const operationId = operationIdOf(stage);
  return until(`${operationId} to be ${state}`, async () => {
    const operation = fold((await stage.ledger.load({ tenant: stage.tenant, operationId })).events);
    return operation?.state === state ? operation : null;
  });
}

/** A person reads what is known of the operation, and says this of it. */
export async function personSays(stage: Stage, verdict: PersonVerdict, note: string): Promise<void> {
  const ref = { tenant: stage.tenant, operationId: operationIdOf(stage) };
  const read = await stage.client.operations.get(ref);
  if (read === null) throw new Error(`Bug: ${PERSON} finds no ${ref.operationId}.`);
  await stage.client.operations.resolve(ref, { by: PERSON, note, version: read.version, verdict });
}

/** Waits until the ledger's clock has passed this moment. */
export async function untilLedgerTime(stage: Stage, instant: number): Promise<void> {
  await until('the ledger’s time', async () => {
    const { now } = await stage.ledger.load({ tenant: stage.tenant, operationId: operationIdOf(stage) });
    return now > instant ? true : null;
  });
}
