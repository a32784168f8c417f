import type { EvidenceEvent, Recorded } from './event';
import type { Evidence } from './evidence';
import { isKnown } from './finding';
import type { Operation } from './fold';

/**
 * What a webhook told of the operation, as an event; null where it tells nothing new, or shows nothing.
 *
 * It shows what is there and never that something is not (rule 8): so it is neither complete nor final, whatever its
 * reader says, and it has no beginning of its own. What it was made from was seen at the provider, by the provider's
 * clock, at some time after the first send; no ledger time but the operation's first is known to be before that.
 */
export function webhookEvidence(
  operation: Operation,
  events: readonly Recorded[],
  evidence: Evidence,
): EvidenceEvent | null {
  if (evidence.kind !== 'found' || evidence.effects.every((effect) => isKnown(effect, operation))) return null;
  return {
    kind: 'evidence',
    source: 'webhook',
    generation: operation.current.number,
    begunAt: Math.min(...events.map(({ at }) => at)),
    evidence: { ...evidence, complete: false },
    final: false,
  };
}
