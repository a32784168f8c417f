import { CONTRACTS } from '../../../src/testing/explorer/scenario';
import { scenarioOf } from '../scenario-of';
import { withSteps } from './engines';
import { type Mutant, patchOf } from './mutant';
import { ALONE } from './scenes';

type Concern = typeof import('../../../src/operations/concern');
type Asking = typeof import('../../../src/operations/asking');

const BUDGET = { reconciliations: 1, losses: 1 };
const LOST = scenarioOf(
  'reconciled, and nothing is seen',
  { ...ALONE, moments: ['answer overdue'] },
  { ...BUDGET, jumps: 1, blindQueries: 1 },
);

/** Mistakes of reconciliation. */
export const RECONCILIATION: readonly Mutant[] = [
  {
    name: 'a lease that is taken as a permit: its own look is older than the mark of another',
    caughtBy: /^Rule 8:/,
    scenario: scenarioOf('two at once', ALONE, { reconciliations: 2, losses: 2 }),
    ...patchOf<Asking>('operations/asking', () => ({
      isShownAbsent: (finding) => finding?.evidence.kind === 'absent',
    })),
  },
  {
    name: 'a resend without a look',
    caughtBy: /^Rule 8:/,
    scenario: scenarioOf('one reconciliation', ALONE, BUDGET),
    ...patchOf<Asking>('operations/asking', ({ canAsk }) => ({
      canAsk: (setup, state, operation) => operation.state === 'confirmed' && canAsk(setup, state, operation),
      isShownAbsent: () => true,
    })),
  },
  {
    name: 'a resend of reconciliation after the window',
    caughtBy: /^Rule 6:/,
    scenario: scenarioOf('the window ends', { ...ALONE, moments: ['resends end'] }, { ...BUDGET, jumps: 1 }),
    ...patchOf<typeof import('../../../src/operations/resend')>('operations/resend', () => ({
      mayResend: () => ({ allowed: true }),
    })),
  },
  {
    name: 'a send of what is paused',
    caughtBy: /^What is paused sends nothing/,
    scenario: scenarioOf('paused', ALONE, { ...BUDGET, pauses: 1 }),
    ...patchOf<typeof import('../../../src/operations/pause')>('operations/pause', () => ({ isPaused: () => false })),
  },
  {
    name: 'a send of what is before a person',
    caughtBy: /^Rule (6|11):/,
    scenario: scenarioOf('before a person', ALONE, { ...BUDGET, acts: 1 }),
    ...patchOf<Concern>('operations/concern', ({ concernOf }) => ({
      concernOf: (operation, ...rest) => (operation.state === 'escalated' ? 'release' : concernOf(operation, ...rest)),
    })),
  },
  {
    name: 'a drop while an attempt is open',
    caughtBy: /^Rule 14:/,
    scenario: scenarioOf(
      'left behind',
      { ...ALONE, moments: ['left behind'] },
      { reconciliations: 1, crashes: 1, jumps: 1 },
    ),
    ...patchOf<Concern>('operations/concern', ({ concernOf }) => ({
      concernOf: (operation, ...rest) =>
        operation.state === 'submitted' ? 'left-behind' : concernOf(operation, ...rest),
    })),
  },
  {
    name: 'what was left behind and is never dropped',
    caughtBy: /^Rule 14: reconciliation comes to an end/,
    scenario: scenarioOf(
      'an answer shows late that nothing was sent',
      { ...ALONE, moments: ['answer overdue'], behaviours: ['turns-away'] },
      { faults: 1, jumps: 1 },
    ),
    ...patchOf<Concern>('operations/concern', ({ concernOf }) => ({
      concernOf: (operation, ...rest) =>
        operation.state === 'registered' ? 'in-flight' : concernOf(operation, ...rest),
    })),
  },
  {
    name: 'a person who is called too early',
    caughtBy: /^Rule 14: it is put before a person at its end/,
    scenario: LOST,
    ...patchOf<typeof import('../../../src/operations/end')>('operations/end', () => ({ endOf: () => 0 })),
  },
  {
    name: 'a person who is never called',
    caughtBy: /^Rule 14: reconciliation comes to an end/,
    scenario: { ...LOST, contract: CONTRACTS.noKey, hasQuery: false },
    ...patchOf<typeof import('../../../src/operations/end')>('operations/end', () => ({ endOf: () => null })),
  },
  {
    name: 'a last look at one number, which never shows everything',
    caughtBy: /^Rule 14: reconciliation comes to an end/,
    scenario: scenarioOf('one of several', ALONE, { ...BUDGET, blindQueries: 1 }),
    ...withSteps((step) =>
      step.command.kind === 'find' ? { ...step, command: { ...step.command, externalId: 're_1' } } : step,
    ),
  },
];
