import type { Outcome } from '../../../src/operations/outcome';
import { ONE_CALL } from '../../../src/testing/explorer/scenario';
import { scenarioOf } from '../scenario-of';
import { type Mutant, patchOf } from './mutant';
import { LOST } from './scenes';

type Fold = typeof import('../../../src/operations/fold');

/** Mistakes about what a history says. */
export const HISTORY: readonly Mutant[] = [
  {
    name: 'a mark that is forgotten while it has no answer',
    caughtBy: /^Rule (2|4|5|8|13|14):/,
    scenario: scenarioOf('a worker dies', { calls: ONE_CALL }, { crashes: 1 }),
    ...patchOf<Fold>('operations/fold', ({ fold }) => ({
      fold: (events) =>
        fold(
          events.filter(
            (event) =>
              event.kind !== 'marked' ||
              events.some(
                (other) =>
                  other.kind === 'answered' && other.generation === event.generation && other.attempt === event.attempt,
              ),
          ),
        ),
    })),
  },
  {
    name: 'a state that is restored to what it was before the last attempt',
    caughtBy: /^Rule [248]:/,
    scenario: scenarioOf('lost, then turned away', { behaviours: ['turns-away'] }, { losses: 1, faults: 1 }),
    // The last attempt never left, so everything is as if nothing had been sent.
    ...patchOf<Fold>('operations/fold', ({ fold }) => ({
      fold: (events) => {
        const operation = fold(events);
        const last = events.findLast((event) => event.kind === 'answered');
        const restored = last?.kind === 'answered' && last.outcome.kind === 'not-submitted';
        if (operation === null || operation.state !== 'unknown' || !restored) return operation;
        return { ...operation, state: 'registered', reason: null };
      },
    })),
  },
  {
    name: 'a truth that depends on the order of the answers',
    caughtBy: /^Rule 10:/,
    scenario: scenarioOf(
      'an answer comes after its time-out',
      { calls: ONE_CALL, moments: ['answer overdue'], behaviours: ['refuses', 'turns-away'] },
      { jumps: 1, faults: 1, cutCommits: 1 },
    ),
    ...patchOf<typeof import('../../../src/operations/attempt')>('operations/attempt', () => ({
      laterOutcome: (_first: Outcome | null, second: Outcome) => second,
    })),
  },
  {
    name: 'late evidence that is dropped once it is settled',
    caughtBy: /^Rule 11:/,
    scenario: scenarioOf('a refund comes back', { calls: ONE_CALL }, { bounces: 1, webhooks: 1 }),
    ...patchOf<Fold>('operations/fold', ({ fold }) => ({
      fold: (events) => {
        const settled = events.findIndex((event) => event.kind === 'answered' && event.outcome.kind === 'confirmed');
        return fold(events.filter((event, index) => settled < 0 || index <= settled || event.kind !== 'evidence'));
      },
    })),
  },
  {
    name: 'an alarm that is hidden',
    caughtBy: /^Rule 11:/,
    scenario: scenarioOf('a refund comes back', { calls: ONE_CALL }, { bounces: 1, webhooks: 1 }),
    ...patchOf<typeof import('../../../src/operations/alarm')>('operations/alarm', () => ({ alarmFacts: () => [] })),
  },
  {
    name: 'a session that is told something unfinished and not noted',
    caughtBy: /^Told later, once: whoever is told something unfinished/,
    scenario: LOST,
    ...patchOf<typeof import('../../../src/operations/announcements')>('operations/announcements', () => ({
      willHear: () => true,
    })),
  },
];
