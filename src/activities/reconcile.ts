import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import {
  type ClaimedOperation,
  claimDue,
  claimOrphaned,
  giveBack,
  type OwnTools,
  putOff,
  readAgenda,
} from '../ledger/due-operations';
import { announce } from './announce';
import type { ActivityContext } from './context';
import { toolOf } from './look';
import type { AgendaResult, BackOff, PassInput, PassResult } from './reconcile-inputs';
import { abandonOrphan, type LookEnd, reconcileOperation } from './reconcile-operation';

/** Looks in a row that got no answer, after which a provider is left alone. */
const FAILURES_IN_A_ROW = 3;
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 5 * 60_000;
/** A provider that asks for longer, by a clock that is wrong perhaps, is asked again after this. */
const LONGEST_ASKED_REST_MS = 60 * 60_000;
/** So long after its rest a provider that was not asked again still rests longer if it gives no answer. */
const FORGOTTEN_AFTER_MS = 60 * 60_000;
const ORPHANS_A_PASS = 20;

/** What there is to do now. One statement. */
export async function agenda({ database, catalogue, reconciliation }: ActivityContext): Promise<AgendaResult> {
  const { orphanedAfter, every } = reconciliation;
  const { now, due, orphaned, toTell, nextDueAt, open, untold } = await readAgenda(database, {
    tools: ownTools(catalogue),
    orphanedAfter,
  });
  const untilNext = nextDueAt === null ? every : Math.max(0, nextDueAt - now);
  return {
    now,
    hasWork: due || orphaned || toTell,
    nextDueAt,
    pauseMs: Math.ceil(Math.min(every, untilNext)),
    open,
    untold,
  };
}

/** One pass: a bounded batch of what is due of each provider, and of what is to be told. */
export async function reconcile(context: ActivityContext, { backOffs }: PassInput): Promise<PassResult> {
  const { database, catalogue, reconciliation } = context;
  const { batch, lease, orphanedAfter } = reconciliation;
  const tools = ownTools(catalogue);
  const started = performance.now();
  const { now } = await agenda(context);
  const claimed = await claimDue(database, { tools, lease, perProvider: batch });
  const byProvider = Map.groupBy(claimed, ({ provider }) => provider);
  const rested = await Promise.all(
    [...byProvider].map(async ([provider, operations]) => {
      const before = backOffs[provider] ?? null;
      const after = await workThrough(context, operations, { before, now, started });
      return [provider, after] as const;
    }),
  );
  for (const orphan of await claimOrphaned(database, { tools, lease, orphanedAfter, limit: ORPHANS_A_PASS })) {
    await unbroken(context, orphan, () => abandonOrphan(context, orphan));
  }
  await announce(context);
  const next = { ...backOffs, ...Object.fromEntries(rested) };
  return {
    agenda: await agenda(context),
    looks: claimed.length,
    backOffs: Object.fromEntries(
      Object.entries(next).filter(
        (entry): entry is [string, BackOff] => entry[1] !== null && entry[1].untilMs > now - FORGOTTEN_AFTER_MS,
      ),
    ),
  };
}

interface Batch {
  readonly before: BackOff | null;
  /** The ledger's time. */
  readonly now: number;
  /** This process' time at which the pass began. */
  readonly started: number;
}

/**
 * Works through one provider's operations, some side by side. A provider that gives no answer is left alone, without
 * keeping the others waiting: what has come to its end goes before a person all the same.
 */
async function workThrough(
  context: ActivityContext,
  operations: readonly ClaimedOperation[],
  { before, now, started }: Batch,
): Promise<BackOff | null> {
  const { reconciliation, catalogue, database } = context;
  const { concurrency, perSecond, passWithin } = reconciliation;
  const rest = new Rest(before, now);
  const queue = [...operations];
  const worker = async () => {
    for (;;) {
      const operation = queue.shift();
      if (operation === undefined) return;
      if (performance.now() - started > passWithin || Context.current().cancellationSignal.aborted) {
        queue.unshift(operation);
        return;
      }
      const tool = toolOf([...catalogue.values()], operation);
      if (tool === null) throw new Error(`Bug: ${operation.operationId} was claimed without its tool.`);
      const resting = rest.untilMs;
      const mayAsk = resting === null;
      const look = () => reconcileOperation(context, tool, operation, { mayAsk, notBefore: resting ?? 0 });
      const end = await unbroken(context, operation, look);
      if (end !== null) rest.note(end);
      if (mayAsk) await sleep((1_000 * concurrency) / perSecond);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, operations.length) }, worker));
  await giveBack(database, queue);
  return rest.backOff;
}

function ownTools(catalogue: ActivityContext['catalogue']): OwnTools {
  return Object.fromEntries(
    [...catalogue.values()].flatMap((tool) => (tool.kind === 'operation' ? [[tool.name, tool.provider.name]] : [])),
  );
}

/**
 * One operation that cannot be looked at (its history is of a later release, say) breaks off no pass: it would be the most
 * overdue of every pass to come. Where the ledger is out of reach, putting it off fails too, and so does the pass.
 */
async function unbroken<T>(
  { database }: ActivityContext,
  operation: ClaimedOperation,
  look: () => Promise<T>,
): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    const { tenant, operationId } = operation;
    await putOff(database, operation);
    Context.current().log.error(`A look at ${operationId} of ${tenant} broke off; it is tried again later.`, { error });
    return null;
  }
}

/** Whether a provider is left alone, and until when. */
class Rest {
  readonly #now: number;
  readonly #before: BackOff | null;
  #failures = 0;
  #untilMs: number | null;
  #hasAnswered = false;

  constructor(before: BackOff | null, now: number) {
    this.#before = before;
    this.#now = now;
    this.#untilMs = before !== null && before.untilMs > now ? before.untilMs : null;
  }

  get untilMs(): number | null {
    return this.#untilMs;
  }

  /** For the next pass; null where the provider answers. */
  get backOff(): BackOff | null {
    if (this.#untilMs === null) return this.#hasAnswered ? null : this.#before;
    return { untilMs: this.#untilMs, failures: (this.#before?.failures ?? 0) + (this.#failures > 0 ? 1 : 0) };
  }

  note({ answered, retryAfterMs }: LookEnd): void {
    if (answered === null) return;
    this.#failures = answered ? 0 : this.#failures + 1;
    this.#hasAnswered ||= answered;
    if (retryAfterMs > 0 || this.#failures >= (this.#before === null ? FAILURES_IN_A_ROW : 1)) {
      const pause = Math.min(FIRST_REST_MS * 2 ** Math.min(this.#before?.failures ?? 0, 20), LONGEST_REST_MS);
      this.#untilMs = Math.max(
        this.#untilMs ?? 0,
        this.#now + Math.max(pause, Math.min(retryAfterMs, LONGEST_ASKED_REST_MS)),
      );
    }
  }
}
