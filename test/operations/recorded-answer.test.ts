// Needs nothing.
import type { AnsweredEvent, OperationEvent } from '../../src/operations/event';
import { isRecorded } from '../../src/operations/recorded-answer';
import { drive, LedgerOfOne, setup } from './drive';
import { answered, CALL_B, confirmed, marked, recorded, registered, SENT, unknown } from './fixtures';

const ANSWER = answered(confirmed('re_1')) as AnsweredEvent;

describe('an answer is recorded', () => {
  const inside = (...events: readonly OperationEvent[]) => isRecorded(ANSWER, recorded(...SENT, ...events));

  test('where the history has it: same generation, attempt and outcome, whoever brought it', () => {
    expect(inside(ANSWER)).toBe(true);
    expect(inside(answered(confirmed('re_1'), 1, 1, CALL_B))).toBe(true);
  });

  test.each<[string, OperationEvent]>([
    ['of another generation', answered(confirmed('re_1'), 2)],
    ['to another attempt', answered(confirmed('re_1'), 1, 2)],
    ['with another outcome', answered(confirmed('re_2'))],
    ['that was not clear', answered(unknown())],
  ])('not where the history has one %s', (_other, event) => {
    expect(inside(event)).toBe(false);
  });

  test('not where the history has none', () => {
    expect(inside()).toBe(false);
  });
});

test('an answer whose save lost against the answer of another attempt is recorded all the same', () => {
  const ledger = new LedgerOfOne(registered(), marked(), answered(unknown()));
  const driven = drive(ledger, setup({ call: CALL_B, hasQuery: false }), {
    outcome: confirmed('re_1'),
    before: (command) => {
      const isAnswer = command.kind === 'save' && command.events.some(({ kind }) => kind === 'answered');
      if (isAnswer && ledger.events.length === 4) ledger.add(answered(unknown('unsafe')));
    },
  });
  expect(driven.end).toMatchObject({ reply: { code: 'done', externalId: 're_1' } });
  expect(ledger.events.at(-1)).toMatchObject({ kind: 'answered', attempt: 2, outcome: { kind: 'confirmed' } });
});
