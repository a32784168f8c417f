// Needs nothing.
import { concernOf } from '../../src/operations/concern';
import { firstDue, nextDue } from '../../src/operations/due';
import type { OperationEvent } from '../../src/operations/event';
import type { Evidence } from '../../src/operations/evidence';
import { days, hours } from '../../src/operations/time';
import { type Driven, drive, LedgerOfOne, setup } from './drive';
import {
  ABSENT,
  answered,
  CALL_A,
  CONTRACT,
  confirmed,
  dropped,
  effect,
  evidence,
  folded,
  found,
  KEY_1,
  KEY_2,
  marked,
  NONE_SEND_AGAIN,
  NOON,
  recorded,
  registered,
  rejected,
  said,
  unknown,
} from './fixtures';

/** Generation 1 is unknown, and a person who looked says that it had no effect and may be sent again. */
const NONE_OF_THE_FIRST = [
  registered(),
  marked(),
  answered(unknown()),
  evidence(ABSENT),
  said(NONE_SEND_AGAIN, 4),
] as const;
const SECOND = [registered(2), marked(2)] as const;
const SETTLED = [...NONE_OF_THE_FIRST, ...SECOND, answered(confirmed('re_2'), 2)] as const;

function concern(...events: readonly OperationEvent[]) {
  return concernOf(folded(...events), recorded(...events), NOON);
}

function look(ledger: LedgerOfOne, seen: Evidence): Driven {
  const call = { ...CALL_A, callId: 'reconciliation/7' };
  return drive(ledger, setup({ purpose: 'reconcile', intent: '', generation: 2, call }), { evidence: seen });
}

test.each<[string, readonly OperationEvent[]]>([
  ['confirmed', SETTLED],
  ['rejected', [...NONE_OF_THE_FIRST, ...SECOND, answered(rejected(), 2)]],
  ['dropped', [...NONE_OF_THE_FIRST, registered(2), dropped(2)]],
])('the next generation is %s → it is looked at rarely, whether the first shows after all', (_state, events) => {
  expect(concern(...events)).toBe('look-rarely');
  expect(firstDue(folded(...events), recorded(...events))).toEqual({ after: hours(6) });
});

test.each<[string, readonly OperationEvent[]]>([
  [
    'the first was rejected by its answer',
    [registered(), marked(), answered(rejected()), ...SECOND, answered(confirmed('re_2'), 2)],
  ],
  ['the first was never sent', [registered(), said(NONE_SEND_AGAIN, 1), ...SECOND, answered(confirmed('re_2'), 2)]],
  [
    'a person says confirmed of the first',
    [...NONE_OF_THE_FIRST.slice(0, 4), said({ as: 'confirmed', externalId: 're_1' }, 4)],
  ],
])('%s → nothing is left to look for', (_what, events) => {
  expect(concern(...events)).toBe('nothing');
  expect(firstDue(folded(...events), recorded(...events))).toBeNull();
});

test('a person says none of what was never sent → their word is doubted all the same', () => {
  expect(concern(registered(), said(NONE_SEND_AGAIN, 1))).toBe('look-rarely');
});

test('the looks go on for 60 days after the word, then it is believed', () => {
  const [operation, events] = [folded(...SETTLED), recorded(...SETTLED)];
  const saidAt = events[4]?.at ?? 0;
  expect(nextDue(operation, events, CONTRACT, NOON + days(1), 0)).toBe(NOON + days(1) + hours(6));
  expect(nextDue(operation, events, CONTRACT, saidAt + days(60), 9)).toBe(saidAt + days(61));
  expect(nextDue(operation, events, CONTRACT, saidAt + days(60) + 1, 9)).toBeNull();
});

test('a look that shows the second alone tells nothing new and sends nothing', () => {
  const ledger = new LedgerOfOne(...SETTLED);
  const second = found([effect('re_2', 'succeeded', { key: KEY_2 })]);
  const { commands, asked } = look(ledger, second);
  expect(commands).not.toContain('send');
  // Of everything, and not of the number that is known.
  expect(asked).toMatchObject([{ externalId: null, keys: [KEY_1, KEY_2] }]);
  expect(folded(...ledger.events)).toMatchObject({ state: 'confirmed', externalId: 're_2', alarms: [] });
  const { version } = folded(...ledger.events);
  look(ledger, second);
  expect(folded(...ledger.events).version).toBe(version);
});

test('a look that shows the first beside it raises the alarm', () => {
  const ledger = new LedgerOfOne(...SETTLED);
  look(ledger, found([effect('re_1'), effect('re_2', 'succeeded', { key: KEY_2 })]));
  const { state, alarms } = folded(...ledger.events);
  expect(state).toBe('escalated');
  expect(alarms).toEqual(['re_1 exists, but a person said that generation 1 had no effect.']);
});
