import type { Recorded } from '../operations/event';
import { fold } from '../operations/fold';
import { type Resolution, resolve } from '../operations/resolution';
import { whyNoAct } from '../operations/resolution-form';
import { checkText } from './filter-invalid-error';
import type { Ledger, OperationRef } from './ledger';
import { detailOf, type FoldedOperation } from './read-operation';
import { ResolutionRefusedError } from './resolution-refused-error';

/**
 * Records a person's word, if the rules let it stand. `hasQuery`: whether the operation's provider can be asked. Gives
 * the operation as it is after it. Throws ResolutionRefusedError or FilterInvalidError; nothing is changed then.
 */
export async function resolveOperation(
  ledger: Ledger,
  { tenant, operationId }: OperationRef,
  resolution: Resolution,
  hasQuery: boolean,
): Promise<FoldedOperation> {
  checkText('tenant', tenant);
  checkText('operationId', operationId);
  for (;;) {
    const { now, events } = await ledger.load({ tenant, operationId });
    const malformed = whyNoAct(resolution, now);
    if (malformed !== null) throw new ResolutionRefusedError(operationId, { why: malformed });
    const answer = resolve(fold(events), events, resolution, hasQuery);
    if (answer.kind === 'refused') throw new ResolutionRefusedError(operationId, answer);
    const saved = await ledger.save({ tenant, operationId, before: events, events: [answer.event] });
    // Somebody wrote first: the word is judged again by what is known then.
    if (saved === null) continue;
    const word: Recorded = { ...answer.event, seq: events.length + 1, at: saved.at };
    const detail = detailOf({ tenant, operationId }, { now: saved.at, events: [...events, word], pauses: [] });
    if (detail === null) throw new Error(`Bug: ${operationId} is gone after a person's word on it.`);
    return detail;
  }
}
