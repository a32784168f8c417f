import { CONTRACTS, ONE_CALL } from '../../../src/testing/explorer/scenario';
import { inModule, inSteps, type Mutant, where } from '../mutant';

type Asking = typeof import('../../../src/operations/asking.js');
type Concerns = typeof import('../../../src/operations/concern.js');
type End = typeof import('../../../src/operations/end.js');

const parts = { calls: ONE_CALL, activityAttempts: 1 } as const;
const budget = { reconciliations: 1, losses: 1 } as const;
const overdue = where(
  'it is overdue and queries are blind',
  { ...parts, moments: ['answer overdue'] },
  { ...budget, jumps: 1, blindQueries: 1 },
);
const LOOKED_FOR = 'Rule 8: a resend rests on a complete empty look after the last mark';

/** Mistakes of reconciliation. */
export const RECONCILIATION: readonly Mutant[] = [
  {
    id: 'reconciled-after-the-window',
    planted: 'reconciliation sends after the window',
    breaks: ['Rule 6'],
    scenario: where('the window ends', { ...parts, moments: ['resends end'] }, { ...budget, jumps: 1 }),
    plant: inModule<typeof import('../../../src/operations/resend.js')>('operations/resend', () => ({
      mayResend: () => ({ allowed: true }),
    })),
  },
  {
    id: 'resend-on-an-old-look',
    planted: 'reconciliation sends on a look that is older than the last mark',
    breaks: [LOOKED_FOR],
    scenario: where('two are at work at once', parts, { reconciliations: 2, losses: 2 }),
    plant: inModule<Asking>('operations/asking', () => ({
      isShownAbsent: (finding) => finding?.evidence.kind === 'absent',
    })),
  },
  {
    id: 'resend-without-look',
    planted: 'reconciliation sends without a look',
    breaks: [LOOKED_FOR],
    scenario: where('an answer is lost', parts, budget),
    plant: inModule<Asking>('operations/asking', ({ canAsk }) => ({
      canAsk: (setup, state, operation) => operation.state === 'confirmed' && canAsk(setup, state, operation),
      isShownAbsent: () => true,
    })),
  },
  {
    id: 'paused-and-sent',
    planted: 'what is paused is sent',
    breaks: ['What is paused sends nothing'],
    scenario: where('people pause the provider', parts, { ...budget, pauses: 1 }),
    plant: inModule<typeof import('../../../src/operations/pause.js')>('operations/pause', () => ({
      isPaused: () => false,
    })),
  },
  {
    id: 'escalated-and-sent',
    planted: 'what is before a person is sent',
    breaks: ['Rule 6', 'Rule 8', 'Rule 11: an alarm or a settled truth sends nothing'],
    scenario: where('it is before a person', parts, { ...budget, acts: 1 }),
    plant: inModule<Concerns>('operations/concern', ({ concernOf }) => ({
      concernOf: (operation, ...rest) => (operation.state === 'escalated' ? 'release' : concernOf(operation, ...rest)),
    })),
  },
  {
    id: 'dropped-in-flight',
    planted: 'what may be in flight is dropped',
    breaks: ['Rule 14'],
    scenario: where(
      'it is left behind',
      { ...parts, moments: ['left behind'] },
      { reconciliations: 1, crashes: 1, jumps: 1 },
    ),
    plant: inModule<Concerns>('operations/concern', ({ concernOf }) => ({
      concernOf: (operation, ...rest) =>
        operation.state === 'submitted' ? 'left-behind' : concernOf(operation, ...rest),
    })),
  },
  {
    id: 'person-called-too-early',
    planted: 'a person is called at once',
    breaks: ['Rule 14: it is put before a person at its end'],
    scenario: overdue,
    plant: inModule<End>('operations/end', () => ({ endOf: () => 0 })),
  },
  {
    id: 'person-never-called',
    planted: 'a person is never called',
    breaks: ['Rule 14: reconciliation comes to an end'],
    scenario: { ...overdue, contract: CONTRACTS.noKey, hasQuery: false },
    plant: inModule<End>('operations/end', () => ({ endOf: () => null })),
  },
  {
    id: 'last-look-at-one-number',
    planted: 'the last look asks for one number, and never for everything',
    breaks: ['Rule 14: reconciliation comes to an end'],
    scenario: where('one of several took effect', parts, { ...budget, blindQueries: 1 }),
    plant: inSteps((step) =>
      step.command.kind === 'find' ? { ...step, command: { ...step.command, externalId: 're_1' } } : step,
    ),
  },
  {
    id: 'never-dropped',
    planted: 'what was left behind is never dropped',
    breaks: ['Rule 14: reconciliation comes to an end'],
    scenario: where(
      'an answer shows late that nothing was sent',
      { ...parts, moments: ['answer overdue'], behaviours: ['turns-away'] },
      { faults: 1, jumps: 1 },
    ),
    plant: inModule<Concerns>('operations/concern', ({ concernOf }) => ({
      concernOf: (operation, ...rest) =>
        operation.state === 'registered' ? 'in-flight' : concernOf(operation, ...rest),
    })),
  },
];
