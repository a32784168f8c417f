import type { Recorded } from '../operations/event';
import { fold } from '../operations/fold';
import { stateAt } from '../operations/state';
import { checkText } from './filter-invalid-error';
import type { OperationSummary } from './find-operations';
import type { Ledger, LedgerRead, OperationRef } from './ledger';
import type { Looks } from './read-looks';

/** One operation with its whole history. */
export interface OperationDetail extends OperationSummary {
  /** Oldest first. The events are the truth; all the rest is their fold. */
  readonly events: readonly Recorded[];
}

/** The same, as far as its events tell it. */
export type FoldedOperation = Omit<OperationDetail, keyof Looks>;

/** Null for an operation nobody ever called for. Throws FilterInvalidError for a name that is no text. */
export async function readOperation(ledger: Ledger, ref: OperationRef): Promise<FoldedOperation | null> {
  checkText('tenant', ref.tenant);
  checkText('operationId', ref.operationId);
  return detailOf(ref, await ledger.load(ref));
}

/** The same of what was read already. */
export function detailOf(ref: OperationRef, { now, events }: LedgerRead): FoldedOperation | null {
  const operation = fold(events);
  const [first, last] = [events[0], events.at(-1)];
  if (operation === null || !first || !last) return null;
  const { tool, provider, reason, externalId, resolvedBy, current, version } = operation;
  return {
    tenant: ref.tenant,
    operationId: ref.operationId,
    tool,
    provider,
    state: stateAt(operation, now),
    waitsFor: operation.state === 'registered' ? current.waitsFor : null,
    reason,
    externalId,
    resolvedBy,
    generation: current.number,
    key: current.registration?.key ?? null,
    attempts: current.attempts.length,
    version,
    createdAt: first.at,
    updatedAt: last.at,
    events,
  };
}
