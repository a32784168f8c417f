import { isAbsent } from './absence';
import type { Operation } from './fold';
import type { Finding, PerformSetup, PerformState } from './perform';
import { stateAt } from './state';

/** A look that began before an attempt was marked says nothing about it, whenever that was decided (rule 8). */
export function isShownAbsent(finding: Finding | null, { current }: Operation): boolean {
  if (finding === null || !isAbsent(current, finding.evidence)) return false;
  return current.attempts.every((attempt) => attempt.markedSeq <= finding.version);
}

export function canAsk(setup: PerformSetup, state: PerformState, operation: Operation): boolean {
  if (!setup.hasQuery || state.queried || operation.current.registration === null) return false;
  if (setup.mayAsk === false) return false;
  if (setup.purpose === 'check' || setup.purpose === 'reconcile') return true;
  const now = stateAt(operation, state.now, setup.call);
  // A person who has it before them needs a fresh look; a call is told of the person and asks nothing.
  return now === 'unknown' || now === 'accepted' || (now === 'escalated' && setup.purpose === 'look');
}
