import type { Contract } from './contract';
import type { Evidence } from './evidence';
import { type Generation, lastArrival } from './generation';
import type { Instant } from './time';

/** Whether the evidence shows, completely, no effect of this generation. */
export function isAbsent(generation: Generation, evidence: Evidence): boolean {
  switch (evidence.kind) {
    case 'absent':
      return true;
    case 'inconclusive':
      return false;
    case 'found':
      // What does not tell its key, or does not match, may be ours: then absence is not shown.
      return (
        evidence.complete &&
        evidence.effects.every(
          (effect) => effect.key !== null && effect.key !== generation.registration?.key && effect.mismatch === null,
        )
      );
  }
}

/** Whether the look saw everything, and began after the last moment at which any attempt of the generation could arrive. */
export function isCompleteLook(generation: Generation, evidence: Evidence, begunAt: Instant): boolean {
  const arrived = lastArrival(generation);
  const complete = evidence.kind === 'absent' || (evidence.kind === 'found' && evidence.complete);
  return complete && arrived !== null && begunAt > arrived;
}

/**
 * Whether the contract makes this absence proof (rule 8): the look began after the last moment at which any attempt
 * could arrive plus the provider's visibility delay, and before its retention ends.
 */
export function isFinalAbsence(
  generation: Generation,
  contract: Contract,
  evidence: Evidence,
  begunAt: Instant,
): boolean {
  const { absence } = contract;
  const arrived = lastArrival(generation);
  if (typeof absence === 'string' || arrived === null || !isAbsent(generation, evidence)) return false;
  const first = Math.min(...generation.attempts.map((attempt) => attempt.decidedAt));
  return begunAt > arrived + absence.neverAcceptedAfter && begunAt < first + absence.until;
}
