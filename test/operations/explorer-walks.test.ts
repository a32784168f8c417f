// Needs nothing.
import { CONTRACTS, TWO_CALLS } from '../../src/testing/explorer/scenario';
import { wander } from '../../src/testing/explorer/wander';
import { scenario } from './scenarios';

/** More mishaps in one trace than can be explored; the seeds are fixed, so every run walks the same ways. */
describe('random walks through three calls and many mishaps break no rule', () => {
  const calls = [...TWO_CALLS, { name: 'C', session: 'chat-1', planned: 'any', intent: '{"quantity":1}' } as const];
  const budget = {
    crashes: 2,
    overlaps: 2,
    losses: 2,
    faults: 2,
    jumps: 4,
    blindQueries: 1,
    closings: 1,
    refusals: 1,
    looks: 2,
    webhooks: 2,
    acts: 2,
    setBacks: 1,
    bounces: 1,
    strangers: 1,
    cutCommits: 1,
    reconciliations: 3,
    pauses: 2,
  };
  const behaviours = [
    'pends',
    'fails',
    'refuses',
    'refuses-early',
    'turns-away',
    'answers-another',
    'errs-with-effect',
    'errs-without-effect',
    'breaks',
  ] as const;

  test.each([
    ['every answer is stored', CONTRACTS.everyAnswer, true, 912],
    ['absence is proof', CONTRACTS.provenAbsence, true, 1043],
    ['successes are stored, and nobody can be asked', CONTRACTS.successesAreEffects, false, 77],
    ['the latest status is told', CONTRACTS.latestStatus, true, 7],
    ['there is no key, and nobody can be asked', CONTRACTS.noKey, false, 3],
  ])('where %s', (name, contract, hasQuery, seed) => {
    const parts = { calls, contract, hasQuery, tellsKeys: seed % 2 === 0, activityAttempts: 3, behaviours };
    const { violation, ends } = wander(scenario(name, parts, budget), { walks: 500, seed });
    expect(violation?.story ?? null).toBeNull();
    expect(ends.size).toBeGreaterThan(10);
  });
});
