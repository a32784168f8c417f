import type { Outcome } from '../../../src/operations/outcome';
import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { scenarioOf } from '../scenario-of';
import { withEngine, withOutcomes } from './engines';
import { type Mutant, patchOf } from './mutant';
import { LOST } from './scenes';

const COMES_BACK = scenarioOf(
  'a refund comes back, and its stored answer is repeated',
  { calls: ONE_CALL },
  { bounces: 1, crashes: 1, blindQueries: 1 },
);

/** Mistakes about what answers and evidence mean. */
export const ANSWERS: readonly Mutant[] = [
  {
    name: 'a time-out that is told as a refusal',
    caughtBy: /^Rule [248]:/,
    scenario: LOST,
    ...withOutcomes((outcome) => (outcome.kind === 'unknown' ? { ...refusal(outcome), covers: 'all' } : outcome)),
  },
  {
    name: 'a last error that is taken for "never sent"',
    caughtBy: /^Rule [48]:/,
    scenario: LOST,
    ...withOutcomes((outcome) =>
      outcome.kind === 'unknown' ? { kind: 'not-submitted', why: outcome.why, receipt: outcome.receipt } : outcome,
    ),
  },
  {
    name: 'a refusal of attempt 2 that is taken for attempt 1',
    caughtBy: /^Rule [248]:/,
    scenario: scenarioOf(
      'the resend overtakes the first send and is refused early',
      { calls: ONE_CALL, behaviours: ['refuses-early'] },
      { crashes: 1, faults: 1 },
    ),
    ...withOutcomes((outcome) => (outcome.kind === 'rejected' ? { ...outcome, covers: 'all' } : outcome)),
  },
  {
    name: 'evidence that does not match and is accepted',
    caughtBy: /^Rule (4|11):/,
    scenario: scenarioOf(
      "somebody else's object bears our ID",
      { calls: ONE_CALL, activityAttempts: 1 },
      { strangers: 1, losses: 1, looks: 1 },
    ),
    ...withEngine((product) => ({
      step: (setup, state, result) => {
        if (result.kind !== 'found' || result.evidence.kind !== 'found') return product.step(setup, state, result);
        const effects = result.evidence.effects.map((effect) => ({ ...effect, mismatch: null }));
        return product.step(setup, state, { ...result, evidence: { ...result.evidence, effects } });
      },
    })),
  },
  {
    name: 'an absence that is taken as proof',
    caughtBy: /^Rule [48]:/,
    scenario: scenarioOf('a look while it is under way', { calls: ONE_CALL }, { looks: 1, overlaps: 1 }),
    ...patchOf<typeof import('../../../src/operations/absence')>('operations/absence', ({ isAbsent }) => ({
      isFinalAbsence: (generation, _contract, evidence) => isAbsent(generation, evidence),
    })),
  },
  {
    name: 'a clock that is taken as evidence',
    caughtBy: /^Rule (4|8|11):/,
    scenario: scenarioOf(
      'long after an answer was lost',
      { calls: ONE_CALL, moments: ['nothing arrives any more'] },
      { losses: 1, jumps: 1, looks: 1, blindQueries: 1 },
    ),
    // Whatever the query says: so long after it was sent, nothing can have come of it.
    ...patchOf<typeof import('../../../src/operations/absence')>('operations/absence', () => ({
      isFinalAbsence: ({ attempts }, _contract, _evidence, begunAt) =>
        attempts.length > 0 && attempts.every(({ arriveBy }) => begunAt > arriveBy),
    })),
  },
  {
    name: 'a success in a stored answer that is forgotten when it fails',
    caughtBy: /^Rule 11:/,
    scenario: COMES_BACK,
    ...withOutcomes((outcome) => {
      if (outcome.kind !== 'accepted') return outcome;
      const { status: _status, ...rest } = outcome;
      return rest;
    }),
  },
  {
    name: 'a success that failed later and is taken for a failure from the start',
    caughtBy: /^Rule 11:/,
    scenario: COMES_BACK,
    ...patchOf<typeof import('../../../src/operations/sighting')>('operations/sighting', () => ({
      succeededAndFailed: ({ succeeded, failed }) => succeeded && failed,
    })),
  },
  {
    name: 'an alarm in an answer that is only a word in its reason',
    caughtBy: /^Rule 11:/,
    scenario: scenarioOf('our key brings something else', { behaviours: ['answers-another'] }, { faults: 1 }),
    ...withOutcomes((outcome) => {
      if (outcome.kind !== 'unknown') return outcome;
      const { alarm: _alarm, ...rest } = outcome;
      return rest;
    }),
  },
];

function refusal({ receipt }: Outcome): Outcome & { kind: 'rejected' } {
  return { kind: 'rejected', covers: 'attempt', code: 'timeout', message: 'It timed out.', externalId: null, receipt };
}
