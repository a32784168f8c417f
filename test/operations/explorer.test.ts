// Needs nothing.
import { type Exploration, explore } from '../../src/testing/explorer/explore';
import {
  type Behaviour,
  CONTRACTS,
  ONE_CALL,
  type Scenario,
  TWINS,
  TWO_CALLS,
} from '../../src/testing/explorer/scenario';
import { scenario } from './scenarios';

const EVERYTHING: readonly Behaviour[] = [
  'pends',
  'fails',
  'refuses',
  'refuses-early',
  'turns-away',
  'errs-with-effect',
  'errs-without-effect',
  'breaks',
];

/** Contracts with what they are called in titles. */
const PROMISES = [
  ['stores every answer', CONTRACTS.everyAnswer],
  ['stores every answer and proves absence', CONTRACTS.provenAbsence],
  ['stores successes only', CONTRACTS.successes],
  ['stores successes, which are one with their effects', CONTRACTS.successesAreEffects],
  ['tells the latest status', CONTRACTS.latestStatus],
  ['knows no key', CONTRACTS.noKey],
] as const;

const explored: { readonly name: string; readonly exploration: Exploration }[] = [];

/** No rule is broken in any interleaving, and all of them were looked at. */
function expectNothingBroken(one: Scenario): Exploration {
  const exploration = explore(one);
  explored.push({ name: one.name, exploration });
  expect(exploration.violation?.story ?? null).toBeNull();
  expect(exploration.complete).toBe(true);
  return exploration;
}

afterAll(() => {
  const lines = explored.map(
    ({ name, exploration: { states, ms } }) =>
      `${String(states).padStart(8)} states ${String(ms).padStart(6)} ms  ${name}`,
  );
  const states = explored.reduce((sum, { exploration }) => sum + exploration.states, 0);
  process.stdout.write(`${lines.join('\n')}\n${String(states).padStart(8)} distinct states in all\n`);
});

describe('no interleaving of two calls breaks a rule', () => {
  describe.each(PROMISES)('at a provider that %s', (promise, contract) => {
    test.each([
      ['can be asked', true],
      ['cannot be asked', false],
    ])('and %s, when it errs once and a request or an answer is lost', (asked, hasQuery) => {
      const parts = { contract, hasQuery, behaviours: EVERYTHING };
      expectNothingBroken(scenario(`${promise}, ${asked}`, parts, { faults: 1, losses: 1 }));
    });
  });

  test('when the provider errs twice', () => {
    expectNothingBroken(scenario('two errors', { behaviours: EVERYTHING }, { faults: 2 }));
  });

  test('when a worker dies at any step', () => {
    expectNothingBroken(scenario('a worker dies', {}, { crashes: 1, losses: 1 }));
  });

  test('when answers come late, or after the operation was found out', () => {
    const late = {
      moments: ['answer overdue', 'last arrival'],
      behaviours: ['refuses', 'errs-without-effect'],
    } as const;
    expectNothingBroken(scenario('late answers', { ...late, activityAttempts: 1 }, { faults: 1, jumps: 1 }));
  });

  test('when the window of the key ends and the provider forgets it', () => {
    const ends = { moments: ['resends end', 'key forgotten'] } as const;
    expectNothingBroken(scenario('the window ends', ends, { losses: 1, jumps: 1 }));
  });

  test('when absence becomes proof while queries lag', () => {
    const proof = { contract: CONTRACTS.provenAbsence, moments: ['absence is proof'], activityAttempts: 1 } as const;
    expectNothingBroken(scenario('absence is proof', proof, { losses: 1, jumps: 1, blindQueries: 1 }));
  });

  test('when the workflow closes a call at any step', () => {
    const closing = { activityAttempts: 1, behaviours: ['turns-away'] } as const;
    expectNothingBroken(scenario('a call is closed', closing, { closings: 1, faults: 1, losses: 1 }));
  });

  test('when both are of one model step and the business refuses one of them', () => {
    const twins = { calls: TWINS, activityAttempts: 1 };
    expectNothingBroken(scenario('twins', twins, { refusals: 1, closings: 1 }));
  });

  test('when they want different things under one ID', () => {
    const calls = TWO_CALLS.map((call, index) => ({ ...call, intent: `{"quantity":${index + 1}}` }));
    const { ends } = expectNothingBroken(
      scenario('a conflict', { calls, behaviours: ['turns-away', 'refuses'] }, { faults: 2 }),
    );
    expect([...ends.keys()]).toContain('done + conflict');
  });

  test('when webhooks come at any time and more than once', () => {
    const told = { behaviours: ['fails', 'refuses'] } as const;
    expectNothingBroken(scenario('webhooks', told, { faults: 1, losses: 1, webhooks: 1 }));
    expectNothingBroken(
      scenario('webhooks without keys', { ...told, tellsKeys: false }, { faults: 1, losses: 1, webhooks: 1 }),
    );
  });

  test('when somebody looks meanwhile', () => {
    expectNothingBroken(scenario('looks', { activityAttempts: 1 }, { looks: 1, losses: 1 }));
    const pending = { calls: ONE_CALL, behaviours: ['pends'] } as const;
    expectNothingBroken(scenario('looks at what is pending', pending, { faults: 1, looks: 1, losses: 1 }));
  });

  test('when saves are written and their confirmation is lost', () => {
    expectNothingBroken(
      scenario('cut commits', { behaviours: ['turns-away'] }, { faults: 1, cutCommits: 1, losses: 1 }),
    );
  });

  test('when a refund comes back after it succeeded', () => {
    const back = { activityAttempts: 1 };
    expectNothingBroken(scenario('a refund comes back', back, { bounces: 1, webhooks: 1, losses: 1, acts: 1 }));
  });
});

describe('no interleaving with people breaks a rule', () => {
  const judged = { moments: ['nothing arrives any more'], activityAttempts: 1 } as const;

  test('where the provider can be asked', () => {
    expectNothingBroken(scenario('a person judges', judged, { losses: 1, jumps: 1, acts: 1 }));
    expectNothingBroken(
      scenario('a person looks and judges', { ...judged, calls: ONE_CALL }, { losses: 1, jumps: 1, acts: 2, looks: 1 }),
    );
  });

  test('where it cannot, and knows no key', () => {
    const blind = { ...judged, contract: CONTRACTS.noKey, hasQuery: false };
    expectNothingBroken(scenario('a person alone judges', blind, { losses: 1, jumps: 1, acts: 2 }));
  });

  test("where somebody else's object bears our operation ID", () => {
    expectNothingBroken(scenario('a stranger', { activityAttempts: 1 }, { losses: 1, strangers: 1, acts: 1 }));
  });
});

describe('no interleaving of frozen and woken attempts of one call breaks a rule', () => {
  const one = { calls: ONE_CALL };

  test('when both are at work, and one dies', () => {
    expectNothingBroken(scenario('two attempts of a call', one, { overlaps: 1, losses: 1, crashes: 1 }));
  });

  test('when sends do not leave', () => {
    const turned = { ...one, activityAttempts: 3, behaviours: ['turns-away'] } as const;
    expectNothingBroken(scenario('turned away', turned, { overlaps: 1, faults: 2 }));
  });

  test('when one is frozen past its send deadline', () => {
    const frozen = { ...one, moments: ['send deadline', 'nothing arrives any more'] } as const;
    expectNothingBroken(scenario('frozen', frozen, { overlaps: 1, losses: 1, jumps: 1 }));
  });

  test('when the window ends meanwhile and the clock is set back', () => {
    const ends = { ...one, moments: ['last resend', 'resends end', 'key forgotten'] } as const;
    expectNothingBroken(scenario('the window and the clock', ends, { crashes: 1, losses: 1, jumps: 2, setBacks: 1 }));
  });

  test('when the call is closed or refused meanwhile', () => {
    expectNothingBroken(
      scenario('closed', { ...one, behaviours: ['turns-away'] }, { overlaps: 1, closings: 1, faults: 1 }),
    );
    expectNothingBroken(scenario('refused', one, { overlaps: 1, closings: 1, refusals: 1 }));
  });

  test('when another call joins', () => {
    expectNothingBroken(scenario('two attempts and another call', {}, { overlaps: 1 }));
  });
});

describe('no interleaving of reconciliation with calls breaks a rule', () => {
  const one = { calls: ONE_CALL, activityAttempts: 1 } as const;

  // Proof of absence has its own moment, below.
  const promises = PROMISES.filter(([, { absence }]) => absence === 'inconclusive');
  test.each(promises)('at a provider that %s, when answers are lost and the provider errs', (promise, contract) => {
    const overdue = { ...one, contract, behaviours: EVERYTHING, moments: ['answer overdue'] } as const;
    const budget = { reconciliations: 1, losses: 1, faults: 1, jumps: 1 };
    expectNothingBroken(scenario(`reconciled, ${promise}`, overdue, budget));
    expectNothingBroken(scenario(`reconciled, not asked, ${promise}`, { ...overdue, hasQuery: false }, budget));
  });

  test('when two are at work at once: a claim is no permit', () => {
    expectNothingBroken(
      scenario('two reconciliations', one, { reconciliations: 2, losses: 2, blindQueries: 1, crashes: 1 }),
    );
  });

  test('when one dies, or freezes past its send deadline', () => {
    expectNothingBroken(scenario('reconciliation dies', one, { reconciliations: 2, losses: 1, crashes: 1 }));
    const frozen = { ...one, moments: ['send deadline', 'answer overdue', 'nothing arrives any more'] } as const;
    expectNothingBroken(scenario('reconciliation freezes', frozen, { reconciliations: 1, losses: 1, jumps: 2 }));
  });

  test('when it and another call mark at the same time', () => {
    expectNothingBroken(
      scenario('reconciliation and a call', { activityAttempts: 1 }, { reconciliations: 1, losses: 1 }),
    );
  });

  test('when the window ends, and the provider forgets the key', () => {
    const ends = { ...one, moments: ['last resend', 'resends end', 'key forgotten'] } as const;
    expectNothingBroken(scenario('reconciled at its end', ends, { reconciliations: 1, losses: 1, jumps: 2 }));
    const pending = { ...one, moments: ['pending too long'], behaviours: ['pends'] } as const;
    expectNothingBroken(scenario('pending too long', pending, { reconciliations: 1, faults: 1, jumps: 1, losses: 1 }));
    const mail = { ...one, contract: CONTRACTS.noKey, hasQuery: false, moments: ['a person is called'] } as const;
    expectNothingBroken(scenario('a person is called', mail, { reconciliations: 2, losses: 1, jumps: 1, acts: 1 }));
  });

  test('when absence becomes proof while queries lag', () => {
    const proof = { ...one, contract: CONTRACTS.provenAbsence, moments: ['absence is proof'] } as const;
    expectNothingBroken(
      scenario('reconciled by proof', proof, { reconciliations: 2, losses: 1, jumps: 1, blindQueries: 1 }),
    );
  });

  test('when what did not leave is left behind', () => {
    const left = { ...one, moments: ['left behind'], behaviours: ['turns-away'] } as const;
    expectNothingBroken(scenario('left behind', left, { reconciliations: 1, faults: 1, jumps: 2, crashes: 1 }));
  });

  test('when people pause and resume at any time', () => {
    const paused = { activityAttempts: 1 };
    expectNothingBroken(scenario('paused', paused, { reconciliations: 1, pauses: 1 }));
    const turned = { ...one, behaviours: ['turns-away'] } as const;
    expectNothingBroken(scenario('paused twice', turned, { reconciliations: 2, pauses: 2, losses: 1, faults: 1 }));
  });

  test('when people judge, and webhooks tell, meanwhile', () => {
    expectNothingBroken(
      scenario('judged and reconciled', one, { reconciliations: 1, losses: 1, acts: 2, webhooks: 1, bounces: 1 }),
    );
  });

  test('when the only other call wants something else', () => {
    const calls = TWO_CALLS.map((call, index) => ({ ...call, intent: `{"quantity":${index + 1}}` }));
    expectNothingBroken(
      scenario('a conflict, reconciled', { calls, activityAttempts: 1 }, { reconciliations: 1, losses: 1 }),
    );
  });
});

test('three calls have one effect', () => {
  const third = { name: 'C', session: 'chat-1', planned: 'any', intent: '{"quantity":1}' } as const;
  const three = { calls: [...TWO_CALLS, third], activityAttempts: 1, behaviours: ['refuses'] } as const;
  expectNothingBroken(scenario('three calls', three, { faults: 1 }));
});
