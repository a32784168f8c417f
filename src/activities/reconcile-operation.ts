import { randomUUID } from 'node:crypto';
import { type ClaimedOperation, scheduleNext } from '../ledger/due-operations';
import { concernOf } from '../operations/concern';
import { nextDue } from '../operations/due';
import type { OperationEvent } from '../operations/event';
import type { Evidence } from '../operations/evidence';
import { fold } from '../operations/fold';
import type { Outcome } from '../operations/outcome';
import { days } from '../operations/time';
import type { OperationTool } from '../tools/tool';
import type { ActivityContext } from './context';
import { perform } from './perform';
import { toolSetup } from './tool-setup';

/** How a look went for the provider: whether it gave an answer, and for how long it asks to be left alone. */
export interface LookEnd {
  readonly answered: boolean | null;
  readonly retryAfterMs: number;
}

export type ReconcileContext = Pick<
  ActivityContext,
  'database' | 'ledger' | 'lateAnswers' | 'catalogue' | 'limits' | 'reconciliation'
>;

/**
 * Runs one operation through the engine, then sets when it is due next. `mayAsk` false: its provider is left alone, so it
 * is only put before a person or dropped, where that is due.
 */
export async function reconcileOperation(
  { database, ledger, lateAnswers, limits }: ReconcileContext,
  tool: OperationTool,
  { tenant, operationId, checks }: ClaimedOperation,
  { mayAsk, notBefore }: { readonly mayAsk: boolean; readonly notBefore: number },
): Promise<LookEnd> {
  const { provider } = tool;
  const before = fold((await ledger.load({ tenant, operationId })).events);
  if (before === null) throw new Error(`Bug: ${operationId} is due and has no history.`);
  const end = await perform(
    {
      ...toolSetup(tool, tenant),
      operationId,
      purpose: 'reconcile',
      generation: before.current.number,
      intent: '',
      // Nobody's call, and a new one each time: an earlier look of a worker that froze fences nothing and is fenced by
      // its send deadline.
      call: { callId: `reconciliation/${randomUUID()}`, activityAttempt: 1, sessionId: '', customer: '' },
      mayAsk,
      limits,
    },
    {
      tenant,
      ledger,
      provider,
      lateAnswers,
      prepare: async () => ({ kind: 'refused', message: 'Reconciliation registers nothing.' }),
      checkCancelled: () => undefined,
    },
  );
  const after = fold(end.events);
  if (after === null) throw new Error(`Bug: the history of ${operationId} is gone.`);
  const next = nextDue(after, end.events, provider.contract, end.now, checks);
  const dueAt = next === null ? null : Math.max(next, notBefore);
  await scheduleNext(database, {
    tenant,
    operationId,
    version: after.version,
    dueAt,
    checks: mayAsk ? checks + 1 : checks,
  });
  return lookEnd(end.looked, end.answered);
}

function lookEnd(looked: Evidence | null, answered: Outcome | null): LookEnd {
  if (answered?.kind === 'not-submitted') return { answered: false, retryAfterMs: answered.retryAfterMs ?? 0 };
  if (answered !== null) return { answered: true, retryAfterMs: 0 };
  if (looked === null) return { answered: null, retryAfterMs: 0 };
  if (looked.kind === 'inconclusive') return { answered: false, retryAfterMs: looked.retryAfterMs ?? 0 };
  return { answered: true, retryAfterMs: 0 };
}

/** Nobody has its tool any more: what was sent goes before a person, what was not is dropped (rule 14). */
export async function abandonOrphan(
  { database, ledger }: ReconcileContext,
  { tenant, operationId, tool, provider, checks }: ClaimedOperation,
): Promise<void> {
  const { now, events } = await ledger.load({ tenant, operationId });
  const operation = fold(events);
  if (operation === null) throw new Error(`Bug: ${operationId} is due and has no history.`);
  const why = `No worker has had its tool ${tool} with the provider ${provider} for a day, so nothing finds out by itself.`;
  const generation = operation.current.number;
  const ends: Partial<Record<ReturnType<typeof concernOf>, OperationEvent>> = {
    release: { kind: 'dropped', generation, why },
    'left-behind': { kind: 'dropped', generation, why },
    'find-out': { kind: 'escalated', generation, reason: why },
  };
  const event = ends[concernOf(operation, events, now)];
  // A lost race is another worker's save: it has set its own time.
  if (event !== undefined && (await ledger.save({ tenant, operationId, before: events, events: [event] })) === null)
    return;
  const version = events.length + (event === undefined ? 0 : 1);
  await scheduleNext(database, { tenant, operationId, version, dueAt: now + days(1), checks: checks + 1 });
}
