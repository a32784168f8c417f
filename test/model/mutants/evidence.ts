import { lastArrival } from '../../../src/operations/generation';
import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import { inEngine, inModule, type Mutant, where } from '../mutant';

const bounced = where('a refund comes back', { calls: ONE_CALL }, { bounces: 1, webhooks: 1 });

/** Mistakes about what a query, a webhook, a clock or a person proves. */
export const EVIDENCE: readonly Mutant[] = [
  {
    id: 'absence-as-proof',
    planted: 'absence is taken as proof, whatever the contract says',
    breaks: ['Rule 4', 'Rule 8'],
    scenario: where('a look while it is under way', { calls: ONE_CALL }, { looks: 1 }),
    plant: inModule<typeof import('../../../src/operations/absence.js')>('operations/absence', ({ isAbsent }) => ({
      isFinalAbsence: (generation, _contract, evidence) => isAbsent(generation, evidence),
    })),
  },
  {
    id: 'proof-too-early',
    planted: 'absence is proof before the provider shows all that it took',
    breaks: ['Rule 4', 'Rule 8'],
    scenario: where(
      'queries lag behind where absence can be proven',
      {
        calls: ONE_CALL,
        activityAttempts: 1,
        contract: CONTRACTS.provenAbsence,
        moments: ['last arrival', 'nothing arrives any more', 'absence is proof'],
      },
      { jumps: 2, blindQueries: 1, looks: 1, losses: 1 },
    ),
    plant: inModule<typeof import('../../../src/operations/absence.js')>('operations/absence', ({ isAbsent }) => ({
      isFinalAbsence: (generation, { absence }, evidence, begunAt) =>
        typeof absence !== 'string' && isAbsent(generation, evidence) && begunAt > (lastArrival(generation) ?? begunAt),
    })),
  },
  {
    id: 'broken-off-as-absent',
    planted: 'a query that broke off is taken for an empty one',
    breaks: ['Rule 8'],
    scenario: where(
      'queries break off',
      { calls: ONE_CALL, activityAttempts: 1 },
      { reconciliations: 1, losses: 1, blindQueries: 1 },
    ),
    plant: inEngine((engine) => ({
      ...engine,
      step: (setup, state, result) =>
        engine.step(
          setup,
          state,
          result.kind === 'found' && result.evidence.kind === 'inconclusive'
            ? { ...result, evidence: { kind: 'absent' } }
            : result,
        ),
    })),
  },
  {
    id: 'clock-as-evidence',
    planted: 'what was unknown is told as rejected when nothing can arrive any more',
    breaks: ['Rule 4'],
    scenario: where(
      'time passes after a lost answer',
      { calls: ONE_CALL, hasQuery: false, moments: ['nothing arrives any more'] },
      { losses: 1, jumps: 1, crashes: 1 },
    ),
    plant: inModule<typeof import('../../../src/operations/state.js')>('operations/state', ({ stateAt }) => ({
      stateAt: (operation, now, reader) => {
        const state = stateAt(operation, now, reader);
        const arrived = lastArrival(operation.current);
        return state === 'unknown' && arrived !== null && now > arrived ? 'rejected' : state;
      },
    })),
  },
  {
    id: 'unmatched-evidence',
    planted: "somebody else's object of our ID is accepted as our effect",
    breaks: ['Rule 4', 'Rule 11'],
    scenario: where("somebody else's object bears our operation ID", { calls: ONE_CALL }, { crashes: 1, strangers: 1 }),
    plant: inModule<typeof import('../../../src/operations/fold-sightings.js')>(
      'operations/fold-sightings',
      ({ foldSightings }) => ({
        foldSightings: (events, generations) =>
          foldSightings(events, generations).map((sighting) => ({ ...sighting, mismatch: null })),
      }),
    ),
  },
  {
    id: 'late-evidence-dropped',
    planted: 'evidence that comes after the settlement is dropped',
    breaks: ['Rule 11'],
    scenario: bounced,
    plant: inModule<typeof import('../../../src/operations/fold-sightings.js')>(
      'operations/fold-sightings',
      ({ foldSightings }) => ({
        foldSightings: (events, generations) => {
          const answer = events.findIndex((event) => event.kind === 'answered' && event.outcome.kind === 'confirmed');
          return foldSightings(answer < 0 ? events : events.slice(0, answer + 1), generations);
        },
      }),
    ),
  },
  {
    id: 'alarm-hidden',
    planted: 'alarms are hidden',
    breaks: ['Rule 11'],
    scenario: bounced,
    plant: inModule<typeof import('../../../src/operations/alarm.js')>('operations/alarm', () => ({
      alarmFacts: () => [],
    })),
  },
  {
    id: 'word-on-an-old-look',
    planted: "a person's word rests on any old look",
    breaks: ['Rule 12'],
    scenario: where('a person says none', { calls: ONE_CALL }, { acts: 1, looks: 1 }),
    plant: inModule<typeof import('../../../src/operations/absence.js')>('operations/absence', () => ({
      isCompleteLook: () => true,
    })),
  },
  {
    id: 'word-without-query',
    planted: "a person's word needs no query, where there is one",
    breaks: ['Rule 12'],
    scenario: where(
      'a person says none when nothing arrives any more',
      { calls: ONE_CALL, activityAttempts: 1, moments: ['nothing arrives any more'] },
      { losses: 1, jumps: 1, acts: 1 },
    ),
    plant: inEngine((engine) => ({
      ...engine,
      resolve: (operation, events, resolution) => engine.resolve(operation, events, resolution, false),
    })),
  },
  {
    id: 'no-leave-needed',
    planted: 'the next generation needs no leave of the person who said none',
    breaks: ['Rule 12'],
    scenario: where(
      'a person says none, and another call comes',
      { activityAttempts: 1, hasQuery: false, contract: CONTRACTS.noKey, moments: ['nothing arrives any more'] },
      { losses: 1, jumps: 1, acts: 1 },
    ),
    plant: inModule<typeof import('../../../src/operations/plan.js')>('operations/plan', () => ({
      mayOpenNext: ({ state }) => state === 'rejected',
      plannedGeneration: (operation) => {
        if (operation === null) return 1;
        return operation.state === 'rejected' ? operation.current.number + 1 : operation.current.number;
      },
    })),
  },
  {
    id: 'nobody-can-end-it',
    planted: "no person's word is accepted",
    breaks: ['Rule 14'],
    scenario: where('an answer is lost', { contract: CONTRACTS.noKey, hasQuery: false }, { losses: 1 }),
    plant: inEngine((engine) => ({
      ...engine,
      resolve: () => ({ kind: 'refused', why: 'No.', evidence: [], lookAfter: null }),
    })),
  },
];
