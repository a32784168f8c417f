// Needs nothing.
import type { Outcome } from '../../src/operations/outcome';
import type { Step } from '../../src/operations/stepper';
import { type Engine, productEngine } from '../../src/testing/explorer/engine';
import { type Exploration, explore } from '../../src/testing/explorer/explore';
import { CONTRACTS, ONE_CALL, type Scenario } from '../../src/testing/explorer/scenario';
import { scenario } from './scenarios';

/**
 * Planted mistakes. The explorer is worth what it finds: each of these must be found, and by the rule it breaks.
 */
describe('the explorer finds', () => {
  const lost = scenario('an answer is lost', {}, { losses: 1 });

  test('a time-out that is told as a refusal', () => {
    const mutant = withOutcomes((outcome) =>
      outcome.kind === 'unknown' ? { ...refusal(outcome), covers: 'all' } : outcome,
    );
    expect(found(explore(lost, { engine: mutant }))).toMatch(/^Rule [248]:/);
  });

  test('a last error that is taken for "never sent"', () => {
    const mutant = withOutcomes((outcome) =>
      outcome.kind === 'unknown' ? { kind: 'not-submitted', why: outcome.why, receipt: outcome.receipt } : outcome,
    );
    expect(found(explore(lost, { engine: mutant }))).toMatch(/^Rule [48]:/);
  });

  test('a refusal of one attempt that is taken as a refusal of all', () => {
    const mutant = withOutcomes((outcome) => (outcome.kind === 'rejected' ? { ...outcome, covers: 'all' } : outcome));
    const early = scenario(
      'the resend overtakes the first send and is refused early',
      { calls: ONE_CALL, behaviours: ['refuses-early'] },
      { crashes: 1, faults: 1 },
    );
    expect(found(explore(early))).toBeNull();
    expect(found(explore(early, { engine: mutant }))).toMatch(/^Rule [248]:/);
  });

  test('a send without a committed mark', () => {
    // The mark is taken for saved before it is.
    const mutant = withSteps((step) =>
      step.state.awaiting.kind === 'mark' ? { ...step, command: step.state.awaiting.send } : step,
    );
    const skipping: Engine = {
      ...mutant,
      step: (setup, state, result) =>
        state.awaiting.kind === 'mark' && result.kind === 'answered'
          ? mutant.step(setup, productEngine.step(setup, state, { kind: 'saved', now: state.now }).state, result)
          : mutant.step(setup, state, result),
    };
    expect(found(explore(lost, { engine: skipping }))).toBe('Rule 1: nothing is sent without a committed mark');
  });

  test('a resend with the request of the call that resends', () => {
    const mutant = withSteps((step, callId) => {
      const { command } = step;
      if (command.kind !== 'send') return step;
      return { ...step, command: { ...command, request: { ...command.request, body: callId } } };
    });
    expect(found(explore(lost, { engine: mutant }))).toBe('Rule 5: a resend is the first request again');
  });

  test('a lost race that is taken for won', () => {
    const mutant: Engine = {
      ...productEngine,
      step: (setup, state, result) =>
        productEngine.step(setup, state, result.kind === 'lost' ? { kind: 'saved', now: state.now } : result),
    };
    expect(found(explore(lost, { engine: mutant }))).toBe('The rules have an answer for everything that happens');
  });

  test('a resend after the key was forgotten', () => {
    const patched = explorePatched('../../src/operations/resend', () => ({ mayResend: () => ({ allowed: true }) }));
    const forgotten = scenario(
      'the provider forgets the key',
      { hasQuery: false, moments: ['key forgotten'] },
      { losses: 1, jumps: 1 },
    );
    expect(found(explore(forgotten))).toBeNull();
    expect(found(patched(forgotten))).toMatch(/^Rule [26]:/);
  });

  test('a window that is open again after the clock was set back', () => {
    const patched = explorePatched<typeof import('../../src/ledger/ledger.js')>('../../src/ledger/ledger', () => ({
      // The last event's time, which the set-back clock wrote, and not the latest one's.
      ledgerRead: (clock, events) => ({ now: Math.max(clock, events.at(-1)?.at ?? clock), events, pauses: [] }),
    }));
    const calls = [
      ...ONE_CALL,
      { name: 'B', session: 'chat-2', planned: 'start', intent: '{"quantity":2}' },
      { name: 'C', session: 'chat-3', planned: 'start', intent: '{"quantity":1}' },
    ] as const;
    const setBack = scenario(
      'the clock is set back after the window',
      { calls, hasQuery: false, activityAttempts: 1, moments: ['key forgotten'] },
      { jumps: 1, setBacks: 1 },
    );
    expect(found(explore(setBack))).toBeNull();
    expect(found(patched(setBack))).toMatch(/^Rule [26]:/);
  });

  test('a resend where the provider knows no key', () => {
    const patched = explorePatched('../../src/operations/resend', () => ({ mayResend: () => ({ allowed: true }) }));
    expect(found(patched({ ...lost, contract: CONTRACTS.noKey, hasQuery: false }))).toMatch(/^Rule [26]:/);
  });

  test('a resend where the effect may not have stored its key', () => {
    const patched = explorePatched('../../src/operations/resend', () => ({ mayResend: () => ({ allowed: true }) }));
    const forgets = scenario(
      'the effect is made and its key is not stored',
      { contract: CONTRACTS.successes, hasQuery: false, behaviours: ['errs-with-effect'] },
      { faults: 1 },
    );
    expect(found(explore(forgets))).toBeNull();
    expect(found(patched(forgets))).toMatch(/^Rule 2:/);
  });

  test('absence that is taken as proof', () => {
    const patched = explorePatched<typeof import('../../src/operations/absence.js')>(
      '../../src/operations/absence',
      ({ isAbsent }) => ({ isFinalAbsence: (generation, _contract, evidence) => isAbsent(generation, evidence) }),
    );
    const looked = scenario('a look while it is under way', { calls: ONE_CALL }, { looks: 1 });
    expect(found(explore(looked))).toBeNull();
    expect(found(patched({ ...looked, budget: { ...looked.budget, overlaps: 1 } }))).toMatch(/^Rule [48]:/);
  });

  test('a fence that is forgotten', () => {
    const patched = explorePatched('../../src/operations/call-truth', () => ({
      isOver: () => false,
      isSuperseded: () => false,
    }));
    const closed = scenario('its workflow closes the call', { calls: ONE_CALL }, { closings: 1 });
    expect(found(explore(closed))).toBeNull();
    expect(found(patched(closed))).toMatch(/^Rule (13|4):/);
  });

  test('a generation that opens without a rejection', () => {
    const patched = explorePatched('../../src/operations/plan', () => ({
      mayOpenNext: () => true,
      plannedGeneration: (operation: { current: { number: number } } | null) =>
        operation === null ? 1 : operation.current.number + 1,
    }));
    expect(found(patched(lost))).toMatch(/^Rule 2:/);
  });

  test("a person's word that rests on an old look", () => {
    const patched = explorePatched('../../src/operations/absence', () => ({ isCompleteLook: () => true }));
    const judged = scenario('a person says none', { calls: ONE_CALL }, { acts: 1, looks: 1, overlaps: 1 });
    expect(found(explore(judged, { maxStates: 20_000 }))).toBeNull();
    expect(found(patched(judged))).toMatch(/^Rule 12:/);
  });

  test('an alarm that is hidden', () => {
    const patched = explorePatched('../../src/operations/alarm', () => ({ alarmFacts: () => [] }));
    const bounced = scenario('a refund comes back', { calls: ONE_CALL }, { bounces: 1, webhooks: 1 });
    expect(found(explore(bounced))).toBeNull();
    expect(found(patched(bounced))).toBe('Rule 11: an alarm is never hidden');
  });

  test('a success in a stored answer that is forgotten when it fails', () => {
    const forgetful = withOutcomes((outcome) => {
      if (outcome.kind !== 'accepted') return outcome;
      const { status: _status, ...rest } = outcome;
      return rest;
    });
    const back = scenario(
      'a refund comes back, and its stored answer is repeated',
      { calls: ONE_CALL },
      { bounces: 1, crashes: 1, blindQueries: 1 },
    );
    expect(found(explore(back))).toBeNull();
    expect(found(explore(back, { engine: forgetful }))).toMatch(/^Rule 11:/);
    const folded = explorePatched('../../src/operations/sighting', () => ({
      succeededAndFailed: ({ succeeded, failed }: { succeeded: boolean; failed: boolean }) => succeeded && failed,
    }));
    expect(found(folded(back))).toMatch(/^Rule 11:/);
  });

  test('an alarm in an answer that is only a word in its reason', () => {
    const word = withOutcomes((outcome) => {
      if (outcome.kind !== 'unknown') return outcome;
      const { alarm: _alarm, ...rest } = outcome;
      return rest;
    });
    const another = scenario('our key brings something else', { behaviours: ['answers-another'] }, { faults: 1 });
    expect(found(explore(another))).toBeNull();
    expect(found(explore(another, { engine: word }))).toBe('Rule 11: an alarm is never hidden');
  });

  test('a truth that depends on the order of the evidence', () => {
    const patched = explorePatched('../../src/operations/attempt', () => ({
      laterOutcome: (_first: Outcome | null, second: Outcome) => second,
    }));
    const late = scenario(
      'an answer comes after its time-out',
      { calls: ONE_CALL, moments: ['answer overdue'], behaviours: ['refuses', 'turns-away'] },
      { jumps: 1, faults: 1, cutCommits: 1 },
    );
    expect(found(explore(late))).toBeNull();
    expect(found(patched(late))).toMatch(/^Rule 10:/);
  });

  test('an operation that nobody can end', () => {
    const no = { kind: 'refused', why: 'No.', evidence: [], lookAfter: null } as const;
    const mutant: Engine = { ...productEngine, resolve: () => no };
    const blind = { ...lost, contract: CONTRACTS.noKey, hasQuery: false };
    expect(found(explore(blind))).toBeNull();
    expect(found(explore(blind, { engine: mutant }))).toMatch(/^Rule 14:/);
  });

  describe('in reconciliation', () => {
    const parts = { calls: ONE_CALL, activityAttempts: 1 } as const;
    const budget = { reconciliations: 1, losses: 1 };
    const overdue = { ...parts, moments: ['answer overdue'] } as const;

    test('a resend after the window', () => {
      const patched = explorePatched('../../src/operations/resend', () => ({ mayResend: () => ({ allowed: true }) }));
      const ended = scenario('the window ends', { ...parts, moments: ['resends end'] }, { ...budget, jumps: 1 });
      expect(found(explore(ended))).toBeNull();
      expect(found(patched(ended))).toBe('Rule 6: a key is used inside its window only');
    });

    test('a resend on a look that is older than the last mark', () => {
      const patched = explorePatched<typeof import('../../src/operations/asking.js')>(
        '../../src/operations/asking',
        () => ({ isShownAbsent: (finding) => finding?.evidence.kind === 'absent' }),
      );
      const two = scenario('two at once', parts, { reconciliations: 2, losses: 2 });
      expect(found(explore(two))).toBeNull();
      expect(found(patched(two))).toBe('Rule 8: a resend rests on a complete empty look after the last mark');
    });

    test('a resend without a look', () => {
      const patched = explorePatched<typeof import('../../src/operations/asking.js')>(
        '../../src/operations/asking',
        ({ canAsk }) => ({
          canAsk: (setup, state, operation) => operation.state === 'confirmed' && canAsk(setup, state, operation),
          isShownAbsent: () => true,
        }),
      );
      const one = scenario('one', parts, budget);
      expect(found(patched(one))).toBe('Rule 8: a resend rests on a complete empty look after the last mark');
    });

    test('a send of what is paused', () => {
      const patched = explorePatched('../../src/operations/pause', () => ({ isPaused: () => false }));
      const paused = scenario('paused', parts, { ...budget, pauses: 1 });
      expect(found(explore(paused))).toBeNull();
      expect(found(patched(paused))).toBe('What is paused sends nothing');
    });

    test('a send of what is before a person', () => {
      const patched = explorePatched<typeof import('../../src/operations/concern.js')>(
        '../../src/operations/concern',
        ({ concernOf }) => ({
          concernOf: (operation, ...rest) =>
            operation.state === 'escalated' ? 'release' : concernOf(operation, ...rest),
        }),
      );
      const judged = scenario('before a person', parts, { ...budget, acts: 1 });
      expect(found(explore(judged))).toBeNull();
      expect(found(patched(judged))).toBe('Rule 11: an alarm or a settled truth sends nothing');
    });

    test('a drop while an attempt is open', () => {
      const patched = explorePatched<typeof import('../../src/operations/concern.js')>(
        '../../src/operations/concern',
        ({ concernOf }) => ({
          concernOf: (operation, ...rest) =>
            operation.state === 'submitted' ? 'left-behind' : concernOf(operation, ...rest),
        }),
      );
      const left = scenario(
        'left behind',
        { ...parts, moments: ['left behind'] },
        { reconciliations: 1, crashes: 1, jumps: 1 },
      );
      expect(found(explore(left))).toBeNull();
      expect(found(patched(left))).toMatch(/^Rule 14:/);
    });

    test('a person who is called too early, and one who is never called', () => {
      const lostOne = scenario('lost', overdue, { ...budget, jumps: 1, blindQueries: 1 });
      expect(found(explore(lostOne))).toBeNull();
      const early = explorePatched('../../src/operations/end', () => ({ endOf: () => 0 }));
      expect(found(early(lostOne))).toBe('Rule 14: it is put before a person at its end');
      const never = explorePatched('../../src/operations/end', () => ({ endOf: () => null }));
      expect(found(never({ ...lostOne, contract: CONTRACTS.noKey, hasQuery: false }))).toBe(
        'Rule 14: reconciliation comes to an end',
      );
    });

    test('a last look at one number, which never shows everything', () => {
      const several = scenario('one of several', parts, { ...budget, blindQueries: 1 });
      expect(found(explore(several))).toBeNull();
      const narrow = withSteps((step) =>
        step.command.kind === 'find' ? { ...step, command: { ...step.command, externalId: 're_1' } } : step,
      );
      expect(found(explore(several, { engine: narrow }))).toBe('Rule 14: reconciliation comes to an end');
    });

    test('what was left behind and is never dropped', () => {
      const late = scenario(
        'an answer shows late that nothing was sent',
        { ...parts, moments: ['answer overdue'], behaviours: ['turns-away'] },
        { faults: 1, jumps: 1 },
      );
      expect(found(explore(late))).toBeNull();
      const patched = explorePatched<typeof import('../../src/operations/concern.js')>(
        '../../src/operations/concern',
        ({ concernOf }) => ({
          concernOf: (operation, ...rest) =>
            operation.state === 'registered' ? 'in-flight' : concernOf(operation, ...rest),
        }),
      );
      expect(found(patched(late))).toBe('Rule 14: reconciliation comes to an end');
    });

    test('a session that is told something unfinished and forgotten', () => {
      const whoever = 'Told later, once: whoever is told something unfinished is noted';
      const patched = explorePatched('../../src/operations/announcements', () => ({ willHear: () => true }));
      expect(found(patched(lost))).toBe(whoever);
      const deaf: Engine = {
        ...productEngine,
        closingEvents: (...all) => productEngine.closingEvents(...all).filter(({ kind }) => kind !== 'told'),
      };
      const closing = scenario('a call is closed', { activityAttempts: 1 }, { closings: 1 });
      expect(found(explore(closing))).toBeNull();
      expect(found(explore(closing, { engine: deaf }))).toBe(whoever);
    });

    test('a settlement that nobody hears of, and one that is heard of twice', () => {
      const silent: Engine = { ...productEngine, announcementsOf: () => [] };
      const twice: Engine = {
        ...productEngine,
        announcementsOf: (...all) => productEngine.announcementsOf(...all).flatMap((row) => [row, row]),
      };
      for (const engine of [silent, twice]) {
        expect(found(explore(lost, { engine }))).toBe('Told later, once: whoever waits hears how it ends');
      }
    });
  });
});

function found({ violation }: Exploration): string | null {
  return violation?.broken[0]?.rule ?? null;
}

function refusal({ receipt }: Outcome): Outcome & { kind: 'rejected' } {
  return { kind: 'rejected', covers: 'attempt', code: 'timeout', message: 'It timed out.', externalId: null, receipt };
}

/** The product's rules, told something else than what the provider answered. */
function withOutcomes(change: (outcome: Outcome) => Outcome): Engine {
  return {
    ...productEngine,
    step: (setup, state, result) =>
      productEngine.step(
        setup,
        state,
        result.kind === 'answered' ? { ...result, outcome: change(result.outcome) } : result,
      ),
  };
}

/** The product's rules, whose next command is another. */
function withSteps(change: (step: Step, callId: string) => Step): Engine {
  return {
    ...productEngine,
    step: (setup, state, result) => change(productEngine.step(setup, state, result), setup.call.callId),
  };
}

/** The explorer over the product with one module's functions replaced. */
function explorePatched<Module extends object = object>(
  module: string,
  patch: (actual: Module) => Partial<Module>,
): (scenario: Scenario) => Exploration {
  return (explored) => {
    let exploration: Exploration | undefined;
    jest.isolateModules(() => {
      jest.doMock(module, () => {
        const actual: Module = jest.requireActual(module);
        return { ...actual, ...patch(actual) };
      });
      const patched =
        require('../../src/testing/explorer/explore') as typeof import('../../src/testing/explorer/explore.js');
      exploration = patched.explore(explored);
      jest.dontMock(module);
    });
    if (!exploration) throw new Error('Bug: nothing was explored.');
    return exploration;
  };
}
