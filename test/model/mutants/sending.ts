import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import { scenarioOf } from '../scenario-of';
import { withEngine, withSteps } from './engines';
import { type Mutant, patchOf } from './mutant';
import { CLOSED, LOST, LOST_WITHOUT_KEY, OVERLAPS } from './scenes';

type Resend = typeof import('../../../src/operations/resend');

const RESENDS_ALWAYS = patchOf<Resend>('operations/resend', () => ({ mayResend: () => ({ allowed: true }) }));

/** Mistakes about what is sent, when and under which key. */
export const SENDING: readonly Mutant[] = [
  {
    name: 'a new key where the outcome is unknown',
    caughtBy: /^Rule (2|5):/,
    scenario: LOST,
    ...withSteps((step) => {
      const { command } = step;
      if (command.kind !== 'send' || command.attempt === 1) return step;
      return { ...step, command: { ...command, key: `${command.key}-${command.attempt}` } };
    }),
  },
  {
    name: 'a resend with the request of the call that resends',
    caughtBy: /^Rule 5:/,
    scenario: LOST,
    ...withSteps((step, callId) => {
      const { command } = step;
      if (command.kind !== 'send') return step;
      return { ...step, command: { ...command, request: { ...command.request, body: callId } } };
    }),
  },
  {
    name: 'a resend after the key was forgotten',
    caughtBy: /^Rule (2|6):/,
    scenario: scenarioOf(
      'the provider forgets the key',
      { hasQuery: false, moments: ['key forgotten'] },
      { losses: 1, jumps: 1 },
    ),
    ...RESENDS_ALWAYS,
  },
  {
    name: 'a resend where the provider knows no key',
    caughtBy: /^Rule (2|6):/,
    scenario: LOST_WITHOUT_KEY,
    ...RESENDS_ALWAYS,
  },
  {
    name: 'a resend where the effect may not have stored its key',
    caughtBy: /^Rule 2:/,
    scenario: scenarioOf(
      'the effect is made and its key is not stored',
      { contract: CONTRACTS.successes, hasQuery: false, behaviours: ['errs-with-effect'] },
      { faults: 1 },
    ),
    ...RESENDS_ALWAYS,
  },
  {
    name: 'a window that is open again after the clock was set back',
    caughtBy: /^Rule (2|6):/,
    scenario: scenarioOf(
      'the clock is set back after the window',
      {
        calls: [
          ...ONE_CALL,
          { name: 'B', session: 'chat-2', planned: 'start', intent: '{"quantity":2}' },
          { name: 'C', session: 'chat-3', planned: 'start', intent: '{"quantity":1}' },
        ],
        hasQuery: false,
        activityAttempts: 1,
        moments: ['key forgotten'],
      },
      { jumps: 1, setBacks: 1 },
    ),
    // The last event's time, which the set-back clock wrote, and not the latest one's.
    ...patchOf<typeof import('../../../src/ledger/ledger')>('ledger/ledger', () => ({
      ledgerRead: (clock, events) => ({ now: Math.max(clock, events.at(-1)?.at ?? clock), events, pauses: [] }),
    })),
  },
  {
    name: 'no send deadline',
    caughtBy: /^Rule 3:/,
    scenario: scenarioOf(
      'frozen past the send deadline',
      { calls: ONE_CALL, moments: ['send deadline'], activityAttempts: 1 },
      { jumps: 1 },
    ),
    ...withSteps((step) => {
      const { command } = step;
      if (command.kind !== 'send') return step;
      return { ...step, command: { ...command, sendWithin: 1_000_000 as typeof command.sendWithin } };
    }),
  },
  {
    name: 'a send without a committed mark',
    caughtBy: /^Rule 1:/,
    scenario: LOST,
    // The mark is taken for saved before it is.
    ...withEngine((product) => ({
      step: (setup, state, result) => {
        const own =
          state.awaiting.kind === 'mark' && result.kind === 'answered'
            ? product.step(setup, product.step(setup, state, { kind: 'saved', now: state.now }).state, result)
            : product.step(setup, state, result);
        return own.state.awaiting.kind === 'mark' ? { ...own, command: own.state.awaiting.send } : own;
      },
    })),
  },
  {
    name: 'a lost race that is taken for won',
    caughtBy: /^Rule 13:/,
    scenario: LOST,
    ...withEngine((product) => ({
      step: (setup, state, result) =>
        product.step(setup, state, result.kind === 'lost' ? { kind: 'saved', now: state.now } : result),
    })),
  },
  {
    name: 'a tenant left out of the key',
    caughtBy: /^Rule 4:/,
    scenario: scenarioOf(
      'another tenant in the same account',
      { sharedAccount: true, calls: ONE_CALL, contract: CONTRACTS.latestStatus },
      {},
    ),
    ...patchOf<typeof import('../../../src/operations/key')>('operations/key', () => ({ keyPrefix: () => '' })),
  },
  {
    name: 'a generation opened without a rejection',
    caughtBy: /^Rule 2:/,
    scenario: LOST,
    ...patchOf<typeof import('../../../src/operations/plan')>('operations/plan', () => ({
      mayOpenNext: () => true,
      plannedGeneration: (operation) => (operation === null ? 1 : operation.current.number + 1),
    })),
  },
  {
    name: 'a generation opened by a retry of the call',
    caughtBy: /^Rule (2|12):/,
    scenario: scenarioOf(
      'refused, and its worker dies',
      { calls: ONE_CALL, behaviours: ['refuses'] },
      { faults: 1, crashes: 1 },
    ),
    ...withEngine((product) => ({
      step: (setup, state, result) => {
        const { current, state: stands } = product.fold(result.kind === 'loaded' ? result.events : state.events) ?? {};
        const isRejected = stands === 'rejected' || (current?.number ?? 1) > setup.generation;
        if (setup.call.activityAttempt === 1 || !isRejected) return product.step(setup, state, result);
        // What fences a call knows it by another name then.
        const call = { ...setup.call, callId: `${setup.call.callId}#${setup.call.activityAttempt}` };
        return product.step({ ...setup, call, generation: setup.generation + 1 }, state, result);
      },
    })),
  },
  {
    name: 'a zombie that answers for a closed call',
    caughtBy: /^Rule (4|13):/,
    scenario: CLOSED,
    ...patchOf<typeof import('../../../src/operations/call-truth')>('operations/call-truth', () => ({
      isOver: () => false,
      isSuperseded: () => false,
    })),
  },
  {
    name: 'an older attempt of a call that is not fenced by the newer one',
    caughtBy: /^Rule 13:/,
    scenario: OVERLAPS,
    ...patchOf<typeof import('../../../src/operations/call-truth')>('operations/call-truth', () => ({
      isSuperseded: () => false,
    })),
  },
];
