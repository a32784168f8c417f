import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { inEngine, inModule, type Mutant, where } from '../mutant';

type CallTruth = typeof import('../../../src/operations/call-truth.js');

const lost = where('an answer is lost', {}, { losses: 1 });
const closed = where('its workflow closes the call', { calls: ONE_CALL }, { closings: 1 });
const closing = where('a call is closed', { activityAttempts: 1 }, { closings: 1 });
const WHOEVER = 'Told later, once: whoever is told something unfinished is noted';
const WAITS = 'Told later, once: whoever waits hears how it ends';

/** Mistakes about who may act for a call, and who hears of it. */
export const CALL_MUTANTS: readonly Mutant[] = [
  {
    id: 'lost-race-won',
    planted: 'a lost race is taken for won',
    breaks: ['Rule 13'],
    scenario: lost,
    plant: inEngine((engine) => ({
      ...engine,
      step: (setup, state, result) =>
        engine.step(setup, state, result.kind === 'lost' ? { kind: 'saved', now: state.now } : result),
    })),
  },
  {
    id: 'lease-as-permit',
    planted: 'reconciliation takes its claim for a permit, and a lost race for won',
    breaks: ['Rule 13'],
    scenario: where(
      'two reconciliations are at work at once',
      { calls: ONE_CALL, activityAttempts: 1 },
      { reconciliations: 2, losses: 1 },
    ),
    plant: inEngine((engine) => ({
      ...engine,
      step: (setup, state, result) =>
        engine.step(
          setup,
          state,
          result.kind === 'lost' && setup.purpose === 'reconcile' ? { kind: 'saved', now: state.now } : result,
        ),
    })),
  },
  {
    id: 'fence-forgotten',
    planted: 'neither a closed nor an answered call is fenced',
    breaks: ['Rule 4', 'Rule 13'],
    scenario: closed,
    plant: inModule<CallTruth>('operations/call-truth', () => ({ isOver: () => false, isSuperseded: () => false })),
  },
  {
    id: 'zombie-of-a-closed-call',
    planted: 'a zombie goes on with a call that its workflow has closed',
    breaks: ['Rule 4', 'Rule 13'],
    scenario: closed,
    plant: inModule<CallTruth>('operations/call-truth', ({ withEvent }) => ({
      withEvent: (truth, event) => (event.kind === 'closed' ? truth : withEvent(truth, event)),
    })),
  },
  {
    id: 'older-attempt-marks',
    planted: 'an older attempt of a call marks after a newer one',
    breaks: ['Rule 13'],
    scenario: where('two attempts of a call are at work', { calls: ONE_CALL }, { overlaps: 1, losses: 1 }),
    plant: inModule<CallTruth>('operations/call-truth', () => ({ isSuperseded: () => false })),
  },
  {
    id: 'promise-not-noted',
    planted: 'a session is told something unfinished and not noted',
    breaks: [WHOEVER],
    scenario: lost,
    plant: inModule<typeof import('../../../src/operations/announcements.js')>('operations/announcements', () => ({
      willHear: () => true,
    })),
  },
  {
    id: 'closing-not-noted',
    planted: 'a session whose call is closed is told something unfinished and not noted',
    breaks: [WHOEVER],
    scenario: closing,
    plant: inEngine((engine) => ({
      ...engine,
      closingEvents: (...all) => engine.closingEvents(...all).filter(({ kind }) => kind !== 'told'),
    })),
  },
  {
    id: 'nobody-hears',
    planted: 'nobody hears of a settlement',
    breaks: [WAITS],
    scenario: lost,
    plant: inEngine((engine) => ({ ...engine, announcementsOf: () => [] })),
  },
  {
    id: 'heard-twice',
    planted: 'a settlement is heard of twice',
    breaks: [WAITS],
    scenario: lost,
    plant: inEngine((engine) => ({
      ...engine,
      announcementsOf: (...all) => engine.announcementsOf(...all).flatMap((row) => [row, row]),
    })),
  },
];
