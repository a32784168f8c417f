import { milliseconds } from '../../../src/operations/time';
import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import { inEngine, inModule, inSteps, type Mutant, where } from '../mutant';

const lost = where('an answer is lost', {}, { losses: 1 });
const forgotten = where(
  'the provider forgets the key',
  { hasQuery: false, moments: ['key forgotten'] },
  { losses: 1, jumps: 1 },
);
const always = inModule<typeof import('../../../src/operations/resend.js')>('operations/resend', () => ({
  mayResend: () => ({ allowed: true }),
}));

/** Mistakes about what may be sent, under which key and until when. */
export const SENDING: readonly Mutant[] = [
  {
    id: 'forgotten-mark',
    planted: 'it is sent before its mark is committed',
    breaks: ['Rule 1'],
    scenario: lost,
    // The mark is taken for saved before it is.
    plant: inEngine((engine) => ({
      ...engine,
      step: (setup, state, result) => {
        const marked =
          state.awaiting.kind === 'mark' && result.kind === 'answered'
            ? engine.step(setup, state, { kind: 'saved', now: state.now }).state
            : state;
        const step = engine.step(setup, marked, result);
        return step.state.awaiting.kind === 'mark' ? { ...step, command: step.state.awaiting.send } : step;
      },
    })),
  },
  {
    id: 'new-key-on-unknown',
    planted: 'a resend of what is unknown gets a new key',
    breaks: ['Rule 2', 'Rule 5'],
    scenario: lost,
    plant: inSteps((step) => {
      const { command } = step;
      if (command.kind !== 'send' || command.attempt === 1) return step;
      return { ...step, command: { ...command, key: `${command.key}-${command.attempt}` } };
    }),
  },
  {
    id: 'key-of-the-call',
    planted: 'the key is computed from the call, and not from the operation',
    breaks: ['Rule 2', 'Rule 5', 'Rule 11'],
    scenario: lost,
    plant: inSteps((step, callId) => {
      const { command } = step;
      return command.kind === 'send' ? { ...step, command: { ...command, key: `${command.key}-${callId}` } } : step;
    }),
  },
  {
    id: 'request-of-the-call',
    planted: 'a resend has the request of the call that resends',
    breaks: ['Rule 5'],
    scenario: lost,
    plant: inSteps((step, callId) => {
      const { command } = step;
      if (command.kind !== 'send') return step;
      return { ...step, command: { ...command, request: { ...command.request, body: callId } } };
    }),
  },
  {
    id: 'tenant-left-out',
    planted: 'the tenant is left out of the key, in an account that tenants share',
    breaks: ['Rule 4'],
    scenario: where('a neighbour has an operation of the same ID', { calls: ONE_CALL }, { neighbours: 1 }),
    plant: inModule<typeof import('../../../src/operations/key.js')>('operations/key', ({ keyOf }) => ({
      keyOf: (operationId, generation) => keyOf(operationId, generation, ''),
    })),
  },
  {
    id: 'no-send-deadline',
    planted: 'a send has no deadline',
    breaks: ['Rule 3'],
    scenario: where(
      'an attempt freezes past its send deadline',
      { calls: ONE_CALL, moments: ['send deadline'] },
      { jumps: 1 },
    ),
    plant: inSteps((step) => {
      const { command } = step;
      if (command.kind !== 'send') return step;
      return { ...step, command: { ...command, sendWithin: milliseconds(1_000_000) } };
    }),
  },
  {
    id: 'resend-after-expiry',
    planted: 'it is sent again after the key was forgotten',
    breaks: ['Rule 2', 'Rule 6'],
    scenario: forgotten,
    plant: always,
  },
  {
    id: 'margin-left-out',
    planted: "the key's margin is left out",
    breaks: ['Rule 6'],
    scenario: where(
      'time goes on to the end of the resends',
      { calls: ONE_CALL, hasQuery: false, moments: ['resends end'] },
      { crashes: 1, jumps: 1 },
    ),
    plant: inEngine((engine) => ({
      ...engine,
      step: (setup, state, result) => {
        const { key } = setup.contract;
        if (key === 'none') return engine.step(setup, state, result);
        const contract = { ...setup.contract, key: { ...key, margin: milliseconds(0) } };
        return engine.step({ ...setup, contract }, state, result);
      },
    })),
  },
  {
    id: 'window-of-the-last-attempt',
    planted: 'the window counts from the last attempt',
    breaks: ['Rule 2', 'Rule 6'],
    scenario: where(
      'it is sent twice before the window ends',
      { calls: ONE_CALL, hasQuery: false, activityAttempts: 3, moments: ['last resend', 'resends end'] },
      { crashes: 2, jumps: 2 },
    ),
    plant: inModule<typeof import('../../../src/operations/resend.js')>('operations/resend', ({ mayResend }) => ({
      mayResend: (generation, contract, now) =>
        mayResend({ ...generation, attempts: generation.attempts.slice(-1) }, contract, now),
    })),
  },
  {
    id: 'window-open-again',
    planted: 'a window is open again after the clock was set back',
    breaks: ['Rule 2', 'Rule 6'],
    scenario: where(
      'the clock is set back after the window',
      {
        calls: [...ONE_CALL, { name: 'B', session: 'chat-2', planned: 'start', intent: '{"quantity":1}' }],
        hasQuery: false,
        moments: ['key forgotten'],
      },
      { jumps: 1, setBacks: 1, crashes: 1 },
    ),
    plant: inModule<typeof import('../../../src/ledger/ledger.js')>('ledger/ledger', () => ({
      // The last event's time, which the set-back clock wrote, and not the latest one's.
      ledgerRead: (clock, events) => ({ now: Math.max(clock, events.at(-1)?.at ?? clock), events, pauses: [] }),
    })),
  },
  {
    id: 'resend-without-key',
    planted: 'it is sent again where the provider knows no key',
    breaks: ['Rule 2', 'Rule 6'],
    scenario: { ...lost, contract: CONTRACTS.noKey, hasQuery: false },
    plant: always,
  },
  {
    id: 'resend-where-not-stored',
    planted: 'it is sent again where the effect may not have stored its key',
    breaks: ['Rule 2'],
    scenario: where(
      'the effect is made and its key is not stored',
      { contract: CONTRACTS.successes, hasQuery: false, behaviours: ['errs-with-effect'] },
      { faults: 1 },
    ),
    plant: always,
  },
  {
    id: 'generation-without-rejection',
    planted: 'a new generation opens whenever a call is made',
    breaks: ['Rule 2'],
    scenario: lost,
    plant: inModule<typeof import('../../../src/operations/plan.js')>('operations/plan', () => ({
      mayOpenNext: () => true,
      plannedGeneration: (operation) => (operation === null ? 1 : operation.current.number + 1),
    })),
  },
  {
    id: 'generation-by-retry',
    planted: 'a retry of a call opens the next generation',
    breaks: ['Rule 12'],
    scenario: where(
      'a worker dies, and another call is refused meanwhile',
      { behaviours: ['refuses'] },
      { crashes: 1, faults: 1 },
    ),
    plant: inEngine((engine) => ({
      ...engine,
      step: (setup, state, result) => {
        const events = result.kind === 'loaded' ? result.events : state.events;
        const generation = Math.max(setup.generation, engine.plannedGeneration(engine.fold(events)));
        return engine.step(setup.purpose === 'send' ? { ...setup, generation } : setup, state, result);
      },
    })),
  },
];
