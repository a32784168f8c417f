import type { Outcome } from '../../../src/operations/outcome';
import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import { inModule, inOutcomes, type Mutant, where } from '../mutant';

const lost = where('an answer is lost', {}, { losses: 1 });
const back = where(
  'a refund comes back, and its stored answer is repeated',
  { calls: ONE_CALL },
  { bounces: 1, crashes: 1, blindQueries: 1 },
);

/** Mistakes about what an answer means. */
export const ANSWERS: readonly Mutant[] = [
  {
    id: 'timeout-as-refusal',
    planted: 'a time-out is told as a refusal',
    breaks: ['Rule 2', 'Rule 4', 'Rule 8'],
    scenario: lost,
    plant: inOutcomes((outcome) => (outcome.kind === 'unknown' ? { ...refusal(outcome), covers: 'all' } : outcome)),
  },
  {
    id: 'error-as-never-sent',
    planted: 'a last error is taken for "never sent"',
    breaks: ['Rule 4', 'Rule 8'],
    scenario: lost,
    plant: inOutcomes((outcome) =>
      outcome.kind === 'unknown' ? { kind: 'not-submitted', why: outcome.why, receipt: outcome.receipt } : outcome,
    ),
  },
  {
    id: 'refusal-of-another-attempt',
    planted: 'the refusal of attempt 2 is taken for one of attempt 1',
    breaks: ['Rule 2', 'Rule 4', 'Rule 8'],
    scenario: where(
      'the resend overtakes the first send and is refused early',
      { calls: ONE_CALL, behaviours: ['refuses-early'] },
      { crashes: 1, faults: 1 },
    ),
    plant: inOutcomes((outcome) => (outcome.kind === 'rejected' ? { ...outcome, covers: 'all' } : outcome)),
  },
  {
    id: 'refusal-that-was-not-stored',
    planted: 'a refusal covers all attempts where the contract stores successes only',
    breaks: ['Rule 2', 'Rule 4', 'Rule 8'],
    scenario: where(
      'the resend is refused, and the first send arrives after it',
      { calls: ONE_CALL, contract: CONTRACTS.successesAreEffects, behaviours: ['refuses'] },
      { crashes: 1, faults: 1 },
    ),
    plant: inModule<typeof import('../../../src/operations/marking.js')>('operations/marking', () => ({
      answeredEvent: ({ call }, { generation, attempt }, outcome) => {
        return { kind: 'answered', generation, attempt, call, outcome };
      },
    })),
  },
  {
    id: 'state-restored',
    planted: 'the state is that of the last attempt, and not a fold over all of them',
    breaks: ['Rule 4', 'Rule 8'],
    scenario: where('a resend is turned away', { behaviours: ['turns-away'] }, { faults: 1, losses: 1 }),
    plant: inModule<typeof import('../../../src/operations/generation.js')>(
      'operations/generation',
      ({ verdictOf }) => ({
        verdictOf: (generation, sightings) =>
          verdictOf({ ...generation, attempts: generation.attempts.slice(-1) }, sightings),
      }),
    ),
  },
  {
    id: 'last-answer-wins',
    planted: 'of two answers to an attempt the later one counts, whatever it says',
    breaks: ['Rule 10'],
    scenario: lateAnswers(),
    plant: inModule<typeof import('../../../src/operations/attempt.js')>('operations/attempt', () => ({
      laterOutcome: (_first: Outcome | null, second: Outcome) => second,
    })),
  },
  {
    id: 'late-answer-dropped',
    planted: 'an answer that comes after its time-out is dropped',
    breaks: ['Rule 10'],
    scenario: lateAnswers(),
    plant: inModule<typeof import('../../../src/operations/attempt.js')>('operations/attempt', () => ({
      laterOutcome: (first: Outcome | null, second: Outcome) => first ?? second,
    })),
  },
  {
    id: 'stored-success-forgotten',
    planted: 'that a stored answer told of a success is forgotten',
    breaks: ['Rule 11'],
    scenario: back,
    plant: inOutcomes((outcome) => {
      if (outcome.kind !== 'accepted') return outcome;
      const { status: _status, ...rest } = outcome;
      return rest;
    }),
  },
  {
    id: 'stored-success-not-folded',
    planted: 'a success in a stored answer and a later failure are no contradiction',
    breaks: ['Rule 11'],
    scenario: back,
    plant: inModule<typeof import('../../../src/operations/sighting.js')>('operations/sighting', () => ({
      succeededAndFailed: ({ succeeded, failed }) => succeeded && failed,
    })),
  },
  {
    id: 'alarm-in-words-only',
    planted: 'an answer about another object is a reason, and no alarm',
    breaks: ['Rule 11'],
    scenario: where('our key brings something else', { behaviours: ['answers-another'] }, { faults: 1 }),
    plant: inOutcomes((outcome) => {
      if (outcome.kind !== 'unknown') return outcome;
      const { alarm: _alarm, ...rest } = outcome;
      return rest;
    }),
  },
];

function lateAnswers() {
  return where(
    'an answer comes after its time-out',
    { calls: ONE_CALL, moments: ['answer overdue'], behaviours: ['refuses', 'turns-away'] },
    { jumps: 1, faults: 1, cutCommits: 1 },
  );
}

function refusal({ receipt }: Outcome): Outcome & { kind: 'rejected' } {
  return { kind: 'rejected', covers: 'attempt', code: 'timeout', message: 'It timed out.', externalId: null, receipt };
}
