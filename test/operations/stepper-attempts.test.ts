// Needs nothing.
import type { OperationEvent } from '../../src/operations/event';
import { whyNothingLeft } from '../../src/operations/ruling';
import { codeOf, drive, LedgerOfOne, setup } from './drive';
import {
  AGAIN,
  answered,
  CALL_A,
  CALL_B,
  closed,
  confirmed,
  dropped,
  effect,
  evidence,
  folded,
  found,
  INCONCLUSIVE,
  KEY_1,
  marked,
  notSubmitted,
  OPERATION_ID,
  REQUEST,
  registered,
  rejected,
  SENT,
  SENT_BY_B,
  unknown,
} from './fixtures';

describe('an attempt that did not leave', () => {
  test('lets the activity run again, which sends the same', () => {
    const ledger = new LedgerOfOne();
    const first = drive(ledger, setup(), { outcome: notSubmitted('ECONNREFUSED') });
    expect(first.end).toEqual({ kind: 'retry', why: 'ECONNREFUSED' });
    const second = drive(ledger, setup({ call: AGAIN }), { outcome: confirmed() });
    expect(second.commands).toEqual(['load', 'save', 'send', 'save', 'finish']);
    expect(second.sent).toMatchObject([{ attempt: 2, key: KEY_1, request: REQUEST }]);
  });

  test('is the last one after as many as may be: the call is closed and told not_submitted', () => {
    const ledger = new LedgerOfOne(...SENT, answered(notSubmitted()));
    const driven = drive(ledger, setup({ call: AGAIN }), { outcome: notSubmitted('ECONNREFUSED') });
    expect(ledger.kinds.slice(-2)).toEqual(['closed', 'dropped']);
    expect(driven.end).toMatchObject({ reply: { code: 'not_submitted', operationId: OPERATION_ID } });
    expect(driven.end.kind === 'finish' && driven.end.reply.text).toContain(
      'Given up after 2 attempts that did not leave: ECONNREFUSED',
    );
  });

  test('counts for its own call and generation only', () => {
    const operation = folded(
      ...[registered(), marked(), answered(notSubmitted('A')), marked(1, 2, { call: CALL_B })],
      ...[answered(notSubmitted('B'), 1, 2, CALL_B), registered(2), marked(2), answered(notSubmitted('C'), 2)],
    );
    expect(whyNothingLeft(setup(), operation)).toEqual(['A']);
    expect(whyNothingLeft(setup({ generation: 2 }), operation)).toEqual(['C']);
    expect(whyNothingLeft(setup({ call: CALL_B }), operation)).toEqual(['B']);
  });

  test('is told with the last reason of all, however many there were', () => {
    const ledger = new LedgerOfOne();
    const limits = { ...setup().limits, notSubmittedAttempts: 3 };
    const ends = ['no route', 'TLS', 'refused'].map((why, index) => {
      const call = { ...CALL_A, activityAttempt: index + 1 };
      return drive(ledger, setup({ call, limits }), { outcome: notSubmitted(why) }).end;
    });
    expect(ends.map(({ kind }) => kind)).toEqual(['retry', 'retry', 'finish']);
    expect(ledger.events.at(-2)).toMatchObject({
      kind: 'closed',
      why: 'Given up after 3 attempts that did not leave: refused',
    });
  });

  test('is the last one though the worker dies before the call is closed, or the close loses its race', () => {
    const spent = [
      ...SENT,
      answered(notSubmitted()),
      marked(1, 2, { call: AGAIN }),
      answered(notSubmitted(), 1, 2, AGAIN),
    ];
    expect(codeOf(drive(new LedgerOfOne(...spent), setup({ call: { ...CALL_A, activityAttempt: 3 } })))).toBe(
      'not_submitted',
    );
    const raced = drive(new LedgerOfOne(...spent), setup({ call: { ...CALL_A, activityAttempt: 3 } }), {
      before: (command, ledger) => {
        if (command.kind === 'save' && ledger.events.length === 5) ledger.add(evidence(INCONCLUSIVE));
      },
    });
    expect(raced.commands).toEqual(['load', 'save', 'load', 'save', 'finish']);
    expect(codeOf(raced)).toBe('not_submitted');
    expect(
      codeOf(drive(new LedgerOfOne(...spent, dropped()), setup({ call: { ...CALL_A, activityAttempt: 3 } }))),
    ).toBe('not_submitted');
  });

  test('beside one that nobody knows of is told as unknown when the call gives up', () => {
    const beside = [...SENT_BY_B, answered(unknown(), 1, 1, CALL_B)];
    const ledger = new LedgerOfOne(
      ...beside,
      marked(1, 2),
      answered(notSubmitted(), 1, 2),
      marked(1, 3, { call: AGAIN }),
      answered(notSubmitted(), 1, 3, AGAIN),
    );
    expect(codeOf(drive(ledger, setup({ call: { ...CALL_A, activityAttempt: 3 } })))).toBe('outcome_unknown');
    expect(ledger.kinds.at(-1)).toBe('closed');
  });

  test.each<[string, readonly OperationEvent[], string]>([
    ['another call confirmed it', [marked(1, 2, { call: CALL_B }), answered(confirmed(), 1, 2, CALL_B)], 'done'],
    ['the call was closed', [closed(CALL_A), dropped()], 'not_submitted'],
    ['another attempt is in flight', [marked(1, 2, { call: CALL_B })], 'retry'],
    ['it was dropped', [dropped()], 'retry'],
    [
      'another attempt ended and nobody knows how: it is asked about by the next run',
      [marked(1, 2, { call: CALL_B }), answered(unknown(), 1, 2, CALL_B)],
      'retry',
    ],
  ])('while %s: %#', (_name, meanwhile, code) => {
    const driven = drive(new LedgerOfOne(), setup(), {
      outcome: notSubmitted(),
      before: (command, ledger) => {
        if (command.kind === 'send') ledger.add(...meanwhile);
      },
    });
    expect(codeOf(driven)).toBe(code);
  });
});

describe('a call has one truth', () => {
  test('an older attempt of the activity marks nothing after a newer one, and tells nothing', () => {
    const newer = [
      registered(1, { call: AGAIN }),
      marked(1, 1, { call: AGAIN }),
      answered(notSubmitted(), 1, 1, AGAIN),
    ];
    const driven = drive(new LedgerOfOne(...newer), setup());
    expect(driven.end).toEqual({ kind: 'retry', why: 'A newer attempt of this call goes on.' });
  });

  test('an attempt of an answered or closed call marks nothing, and tells the truth', () => {
    expect(codeOf(drive(new LedgerOfOne(...SENT, answered(unknown())), setup({ call: AGAIN })))).toBe(
      'outcome_unknown',
    );
    expect(codeOf(drive(new LedgerOfOne(registered(), closed(), dropped()), setup({ call: AGAIN })))).toBe(
      'not_submitted',
    );
    // A late answer may show that nothing was sent; the call is answered all the same.
    const late = new LedgerOfOne(...SENT, answered(unknown()), answered(notSubmitted()));
    expect(codeOf(drive(late, setup({ call: AGAIN })))).toBe('not_submitted');
  });

  test("a newer attempt takes the older one's open send for unknown at once, and asks", () => {
    const driven = drive(new LedgerOfOne(...SENT), setup({ call: AGAIN }), { evidence: found([effect('re_1')]) });
    expect(driven.commands).toEqual(['load', 'find', 'load', 'save', 'finish']);
    expect(codeOf(driven)).toBe('done');
  });

  test('an answer is recorded whatever happened meanwhile, also of an earlier generation', () => {
    const driven = drive(new LedgerOfOne(), setup(), {
      outcome: rejected('all', 're_1'),
      before: (command, ledger) => {
        if (command.kind !== 'send') return;
        ledger.add(evidence(found([effect('re_1', 'failed')]), { source: 'webhook' }));
        ledger.add(registered(2, { call: CALL_B }));
      },
    });
    expect(driven.commands).toEqual(['load', 'prepare', 'save', 'send', 'save', 'load', 'save', 'finish']);
    expect(codeOf(driven)).toBe('rejected');
  });

  test('an answer whose save was written unheard is recorded once', () => {
    const ledger = new LedgerOfOne();
    const driven = drive(ledger, setup(), { outcome: confirmed(), cutCommitOf: 'answered' });
    expect(ledger.kinds).toEqual(['registered', 'marked', 'answered']);
    expect(codeOf(driven)).toBe('done');
    const other = drive(new LedgerOfOne(...SENT_BY_B, answered(unknown(), 1, 1, CALL_B)), setup({ hasQuery: false }), {
      outcome: unknown(),
      cutCommitOf: 'answered',
    });
    expect(codeOf(other)).toBe('outcome_unknown');
  });

  test('a mark whose save was written unheard is not sent: it is its own open attempt', () => {
    const ledger = new LedgerOfOne();
    const driven = drive(ledger, setup(), { cutCommitOf: 'marked' });
    expect(driven.sent).toEqual([]);
    expect(codeOf(driven)).toBe('in_progress');
  });

  test('a finding that loses its race is judged anew', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(unknown(), 1, 1, CALL_B));
    const driven = drive(ledger, setup(), {
      evidence: found([effect('re_1')]),
      before: (command) => {
        if (command.kind === 'save' && ledger.events.length === 3) ledger.add(answered(confirmed(), 1, 1, CALL_B));
      },
    });
    expect(driven.commands).toEqual(['load', 'find', 'load', 'save', 'load', 'finish']);
    expect(codeOf(driven)).toBe('already_done');
  });
});
