// Needs nothing.
import { canAsk, isShownAbsent } from '../../src/operations/asking';
import type { OperationEvent } from '../../src/operations/event';
import type { PerformSetup, PerformState } from '../../src/operations/perform';
import { start } from '../../src/operations/stepper';
import { setup } from './drive';
import {
  ABSENT,
  accepted,
  answered,
  CALL_B,
  confirmed,
  escalated,
  folded,
  INCONCLUSIVE,
  NOON,
  registered,
  SENT,
  UNKNOWN,
} from './fixtures';

function may(
  events: readonly OperationEvent[],
  parts: Partial<PerformSetup> = {},
  state: Partial<PerformState> = {},
): boolean {
  return canAsk(setup({ call: CALL_B, ...parts }), { ...start().state, now: NOON, ...state }, folded(...events));
}

describe('a query', () => {
  test.each<[string, readonly OperationEvent[], boolean]>([
    ['unknown', UNKNOWN, true],
    ['accepted', [...SENT, answered(accepted())], true],
    ['in flight', SENT, false],
    ['confirmed', [...SENT, answered(confirmed())], false],
    ['not sent', [registered()], false],
  ])('is asked by calls and looks about what is open, not about what is %s: %#', (_state, events, asked) => {
    expect(may(events)).toBe(asked);
    expect(may(events, { purpose: 'look' })).toBe(asked);
  });

  test('about what is before a person is asked by a look and not by a call, which is told of the person', () => {
    const before = [...UNKNOWN, escalated()];
    expect(may(before, { purpose: 'look' })).toBe(true);
    expect(may(before)).toBe(false);
  });

  test.each(['check', 'reconcile'] as const)('is asked by a %s in every state', (purpose) => {
    expect(may([...SENT, answered(confirmed())], { purpose })).toBe(true);
    expect(may(SENT, { purpose })).toBe(true);
  });

  test('is asked once an execution, and only where somebody can be asked and will be', () => {
    expect(may(UNKNOWN, {}, { queried: true })).toBe(false);
    expect(may(UNKNOWN, { hasQuery: false })).toBe(false);
    expect(may(UNKNOWN, { purpose: 'reconcile', mayAsk: false })).toBe(false);
    expect(may(UNKNOWN, { purpose: 'reconcile', mayAsk: true })).toBe(true);
  });
});

describe('absence is shown', () => {
  const shown = (version: number, evidence = ABSENT) =>
    isShownAbsent({ evidence, begunAt: NOON, version }, folded(...SENT));

  test('by a look that knew of every attempt', () => {
    expect(shown(2)).toBe(true);
    expect(shown(3)).toBe(true);
  });

  test('by no look that began before an attempt was marked, by none that was inconclusive, and by no look at all', () => {
    expect(shown(1)).toBe(false);
    expect(shown(2, INCONCLUSIVE as typeof ABSENT)).toBe(false);
    expect(isShownAbsent(null, folded(...SENT))).toBe(false);
  });
});
