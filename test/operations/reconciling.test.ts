// Needs nothing.
import type { OperationEvent } from '../../src/operations/event';
import { days, hours, minutes, seconds } from '../../src/operations/time';
import { type Driven, drive, LedgerOfOne, type Script, setup } from './drive';
import {
  ABSENT,
  accepted,
  answered,
  CALL_A,
  CALL_B,
  CONTRACT,
  confirmed,
  effect,
  escalated,
  evidence,
  folded,
  found,
  INCONCLUSIVE,
  INTENT,
  KEY_1,
  KEY_2,
  marked,
  NONE,
  NONE_SEND_AGAIN,
  NOON,
  notSubmitted,
  OPERATION_ID,
  PROVEN,
  REQUEST,
  registered,
  rejected,
  SENT,
  said,
  UNKNOWN,
  unknown,
  WAITING,
} from './fixtures';

/** The work of the registering session's customer, under a call ID of its own. */
const RECONCILIATION = { ...CALL_A, callId: 'reconciliation/7' };

function reconcile(ledger: LedgerOfOne, script: Script = {}, parts: Parameters<typeof setup>[0] = {}): Driven {
  return drive(ledger, setup({ purpose: 'reconcile', intent: '', call: RECONCILIATION, ...parts }), script);
}

function aged(ms: number, ...events: readonly OperationEvent[]): LedgerOfOne {
  const ledger = new LedgerOfOne(...events);
  ledger.advance(ms);
  return ledger;
}

const NOTHING = ['load', 'finish'];

describe('an unknown operation', () => {
  test('is asked for, and what shows settles it', () => {
    const ledger = aged(minutes(1), ...UNKNOWN);
    const driven = reconcile(ledger, { evidence: found([effect('re_1')]) });
    expect(driven.commands).toEqual(['load', 'find', 'load', 'save', 'finish']);
    expect(folded(...ledger.events)).toMatchObject({ state: 'confirmed', resolvedBy: 'query' });
  });

  test('is sent again after a complete empty look: the stored request, under the same key, by its own call', () => {
    const ledger = aged(minutes(1), ...UNKNOWN);
    const driven = reconcile(ledger, { evidence: ABSENT, outcome: confirmed() });
    expect(driven.sent).toMatchObject([{ generation: 1, attempt: 2, key: KEY_1, request: REQUEST }]);
    expect(ledger.events.at(-1)).toMatchObject({ kind: 'answered', call: RECONCILIATION });
    expect(folded(...ledger.events).state).toBe('confirmed');
  });

  test('of a later generation is sent again under that key', () => {
    const second = [registered(2), marked(2), answered(unknown(), 2)];
    const ledger = aged(minutes(1), ...SENT, answered(rejected()), ...second);
    const driven = reconcile(ledger, { evidence: ABSENT, outcome: confirmed() }, { generation: 2 });
    expect(driven.sent).toMatchObject([{ generation: 2, attempt: 2, key: KEY_2 }]);
  });

  test('is sent once a run: an answer that is not clear is left to the next', () => {
    const driven = reconcile(aged(minutes(1), ...UNKNOWN), { outcome: unknown() }, { hasQuery: false });
    expect(driven.sent).toHaveLength(1);
    expect(driven.end).toMatchObject({ kind: 'finish', reply: { code: 'outcome_unknown' } });
  });

  test('that nobody can be asked about is sent again without a look', () => {
    const driven = reconcile(aged(minutes(1), ...UNKNOWN), { outcome: confirmed() }, { hasQuery: false });
    expect(driven.commands).toEqual(['load', 'save', 'send', 'save', 'finish']);
  });

  test.each([
    ['an inconclusive look', INCONCLUSIVE],
    ['a look that was not complete', found([effect('re_9', 'failed', { key: 'refund-9' })], false)],
  ])('is not sent again on %s', (_look, what) => {
    expect(reconcile(aged(minutes(1), ...UNKNOWN), { evidence: what }).sent).toEqual([]);
  });

  test('is not sent again on a look that is older than the newest attempt', () => {
    const ledger = aged(minutes(1), ...UNKNOWN);
    const driven = reconcile(ledger, {
      evidence: ABSENT,
      before: (command) => {
        if (command.kind === 'find') ledger.add(marked(1, 2, { call: CALL_B }), answered(unknown(), 1, 2, CALL_B));
      },
    });
    expect(driven.sent).toEqual([]);
  });

  test.each(['pointless', 'unsafe'] as const)('is never sent again where that is %s', (resend) => {
    const ledger = aged(minutes(1), ...SENT, answered(unknown(resend)));
    expect(reconcile(ledger, { evidence: ABSENT }).sent).toEqual([]);
  });

  test('is never sent again where the provider knows no key', () => {
    const mail = { hasQuery: false, contract: { ...CONTRACT, key: 'none' } } as const;
    expect(reconcile(aged(minutes(1), ...UNKNOWN), {}, mail).commands).toEqual(NOTHING);
  });

  test('is sent again up to the last moment of its window, and not at its end', () => {
    const last = reconcile(aged(hours(23.5) - 1, ...UNKNOWN), { evidence: ABSENT, outcome: confirmed() });
    expect(last.sent).toHaveLength(1);
    expect(reconcile(aged(hours(23.5), ...UNKNOWN), { evidence: ABSENT }).sent).toEqual([]);
  });

  test('whose absence is proven is rejected and sends nothing', () => {
    const ledger = aged(hours(2), ...UNKNOWN);
    const driven = reconcile(ledger, { evidence: ABSENT }, { contract: PROVEN });
    expect(driven.sent).toEqual([]);
    expect(folded(...ledger.events)).toMatchObject({ state: 'rejected', resolvedBy: 'query' });
  });

  test('is found out though nobody calls for it but with another intent', () => {
    const ledger = aged(minutes(1), ...UNKNOWN);
    drive(ledger, setup({ call: CALL_B, intent: `${INTENT} ` }));
    reconcile(ledger, { evidence: found([effect('re_1')]) });
    expect(folded(...ledger.events).state).toBe('confirmed');
  });
});

describe('an operation whose worker died in the middle of a send', () => {
  test('is asked for after the answer is overdue, and sent again on a complete empty look that knew of that send', () => {
    const ledger = aged(minutes(1), ...SENT);
    const driven = reconcile(ledger, { evidence: ABSENT, outcome: confirmed() });
    expect(driven.sent).toMatchObject([{ attempt: 2, key: KEY_1 }]);
  });
});

describe('a provider that wants to be left alone', () => {
  const alone = { mayAsk: false };

  test('is not asked, and gets nothing again, though nobody could be asked anyway', () => {
    expect(reconcile(aged(minutes(1), ...UNKNOWN), {}, alone).commands).toEqual(NOTHING);
    expect(reconcile(aged(minutes(1), ...UNKNOWN), {}, { ...alone, hasQuery: false }).commands).toEqual(NOTHING);
    expect(reconcile(aged(minutes(1), registered(), WAITING), {}, alone).commands).toEqual(NOTHING);
  });

  test('delays no end: what is over is put before a person all the same', () => {
    const ledger = aged(hours(25), ...UNKNOWN);
    reconcile(ledger, {}, alone);
    expect(ledger.kinds.at(-1)).toBe('escalated');
  });
});

describe('what the provider took', () => {
  test('is asked for and never sent again, whatever a look does not show', () => {
    const ledger = aged(minutes(1), ...SENT, answered(accepted()));
    const driven = reconcile(ledger, { evidence: ABSENT });
    expect(driven.asked).toHaveLength(1);
    expect(driven.sent).toEqual([]);
  });
});

describe('an operation in flight', () => {
  test('is left alone until its answer is overdue, then asked for, though its own call still waits', () => {
    const early = reconcile(aged(seconds(40), ...SENT));
    expect(early.commands).toEqual(NOTHING);
    expect(early.end).toMatchObject({ reply: { code: 'in_progress', operationId: OPERATION_ID } });
    const ledger = aged(seconds(40) + 1, ...SENT);
    expect(reconcile(ledger, { evidence: INCONCLUSIVE }).asked).toHaveLength(1);
  });
});

describe('its end', () => {
  const ended = [
    ['the window of the key', hours(23.5), UNKNOWN, {}],
    ['the time of pending', hours(24), [...SENT, answered(accepted())], {}],
    [
      'the time to call a person, where there is no key',
      hours(24),
      UNKNOWN,
      { hasQuery: false, contract: { ...CONTRACT, key: 'none' as const } },
    ],
    ['the last look that could prove absence', hours(23.5), UNKNOWN, { contract: PROVEN }],
  ] as const;

  test.each(ended)('is after %s: it is put before a person, and not a moment earlier', (_end, end, events, parts) => {
    const early = aged(end, ...events);
    reconcile(early, { evidence: INCONCLUSIVE }, parts);
    expect(early.kinds).not.toContain('escalated');
    const ledger = aged(end + 1, ...events);
    const driven = reconcile(ledger, { evidence: INCONCLUSIVE }, parts);
    expect(ledger.kinds.at(-1)).toBe('escalated');
    expect(driven.end).toMatchObject({ reply: { code: 'escalated' } });
  });

  test('is told once, with what is known; looks go on, and late evidence still settles it', () => {
    const ledger = aged(hours(25), ...UNKNOWN);
    reconcile(ledger, { evidence: ABSENT });
    const { reason, state } = folded(...ledger.events);
    expect(state).toBe('escalated');
    expect(reason).toBe(
      'Nobody knows whether it took effect, and nothing automatic can find out any more: 1 attempt, and no look has shown it. Last answer: no answer in time',
    );
    const before = ledger.events.length;
    expect(reconcile(ledger, { evidence: ABSENT }).commands).toEqual(['load', 'find', 'load', 'finish']);
    expect(ledger.events).toHaveLength(before);
    reconcile(ledger, { evidence: found([effect('re_1')]) });
    expect(folded(...ledger.events).state).toBe('confirmed');
  });

  test('names the number of what is pending, and says where no answer was recorded', () => {
    const pending = aged(hours(25), ...SENT, answered(accepted()));
    reconcile(pending, { evidence: found([effect('re_1', 'pending')]) });
    expect(folded(...pending.events).reason).toMatch(/^re_1 was taken by the provider/);
    const silent = aged(hours(25), ...SENT, marked(1, 2));
    reconcile(silent, { evidence: INCONCLUSIVE });
    expect(folded(...silent.events).reason).toMatch(/2 attempts.* No answer was recorded\.$/);
  });

  test('is not reached where the look at the end finds it', () => {
    const ledger = aged(hours(25), ...UNKNOWN);
    reconcile(ledger, { evidence: found([effect('re_1')]) });
    expect(ledger.kinds.slice(3)).toEqual(['evidence']);
  });
});

describe('what was registered and not sent', () => {
  const TURNED = [...SENT, answered(notSubmitted())] as const;

  test('is left to those who try, then dropped, and nothing is sent', () => {
    expect(reconcile(aged(minutes(15) - 1, ...TURNED)).commands).toEqual(NOTHING);
    const ledger = aged(minutes(15), ...TURNED);
    expect(reconcile(ledger).commands).toEqual(['load', 'save', 'finish']);
    expect(folded(...ledger.events)).toMatchObject({
      state: 'dropped',
      reason: 'It was never sent, and nobody tries any more.',
    });
  });

  test('is left to those who try as long as anything happens', () => {
    const ledger = aged(minutes(14), registered(), marked());
    ledger.add(answered(notSubmitted()));
    ledger.advance(minutes(15) - 1);
    expect(reconcile(ledger).commands).toEqual(NOTHING);
    ledger.advance(1);
    reconcile(ledger);
    expect(ledger.kinds.at(-1)).toBe('dropped');
  });

  test('is dropped, too, where a late answer shows that it never left', () => {
    const ledger = aged(minutes(1), ...UNKNOWN, answered(notSubmitted()));
    ledger.advance(minutes(14));
    reconcile(ledger);
    expect(folded(...ledger.events).state).toBe('dropped');
  });

  test('and waits is sent after the resume, and not before', () => {
    const ledger = aged(days(2), registered(), WAITING);
    ledger.pause();
    expect(reconcile(ledger).commands).toEqual(NOTHING);
    ledger.pause(false);
    const driven = reconcile(ledger, { outcome: confirmed() });
    expect(driven.commands).toEqual(['load', 'save', 'send', 'save', 'finish']);
    expect(driven.sent).toMatchObject([{ attempt: 1, key: KEY_1, request: REQUEST }]);
  });

  test('and waits is tried again when it did not leave, and given up after thirty times', () => {
    const ledger = aged(0, registered(), WAITING);
    for (let attempt = 1; attempt < 30; attempt++) {
      expect(reconcile(ledger, { outcome: notSubmitted() }).end.kind).toBe('retry');
      expect(folded(...ledger.events)).toMatchObject({ state: 'registered', current: { waitsFor: 'resume' } });
    }
    expect(reconcile(ledger, { outcome: notSubmitted() }).end.kind).toBe('finish');
    expect(folded(...ledger.events)).toMatchObject({ state: 'dropped', reason: expect.stringContaining('30') });
  });
});

describe('a pause', () => {
  test('stops the resend, not the look, and not the end', () => {
    const ledger = aged(minutes(1), ...UNKNOWN);
    ledger.pause();
    const driven = reconcile(ledger, { evidence: ABSENT });
    expect(driven.asked).toHaveLength(1);
    expect(driven.sent).toEqual([]);
    ledger.advance(hours(25));
    reconcile(ledger, { evidence: ABSENT });
    expect(folded(...ledger.events).state).toBe('escalated');
  });
});

describe('what is settled', () => {
  test.each<[string, readonly OperationEvent[]]>([
    ['confirmed', [...SENT, answered(confirmed())]],
    ['rejected', [...SENT, answered(rejected())]],
    ['an alarm', [...SENT, answered(confirmed()), evidence(found([effect('re_2')]))]],
  ])('as %s is left alone', (_state, events) => {
    expect(reconcile(aged(hours(1), ...events)).commands).toEqual(NOTHING);
  });

  test('by one of several attempts gets one complete look at everything, which may raise the alarm', () => {
    const several = [...UNKNOWN, marked(1, 2), answered(confirmed(), 1, 2)] as const;
    const ledger = aged(hours(1), ...several);
    const driven = reconcile(ledger, { evidence: found([effect('re_1')]) });
    expect(driven.asked).toMatchObject([{ externalId: null }]);
    expect(ledger.kinds.at(-1)).toBe('evidence');
    expect(reconcile(ledger).commands).toEqual(NOTHING);
    const twice = aged(hours(1), ...several);
    reconcile(twice, { evidence: found([effect('re_1'), effect('re_2')]) });
    expect(folded(...twice.events)).toMatchObject({
      state: 'escalated',
      alarms: [expect.stringContaining('2 effects')],
    });
  });

  test("by a person's rejection is looked at, sends nothing, and raises the alarm when it shows", () => {
    for (const verdict of [NONE, NONE_SEND_AGAIN]) {
      const ledger = aged(hours(7), ...UNKNOWN, evidence(ABSENT, { begunAt: NOON + hours(1) }), said(verdict, 4));
      expect(reconcile(ledger, { evidence: ABSENT }).commands).toEqual(['load', 'find', 'load', 'finish']);
      reconcile(ledger, { evidence: found([effect('re_1')]) });
      expect(folded(...ledger.events)).toMatchObject({ state: 'escalated' });
    }
  });

  test('before a person is not escalated again, and is not sent', () => {
    const ledger = aged(minutes(1), ...UNKNOWN, escalated());
    expect(reconcile(ledger, { evidence: ABSENT }).sent).toEqual([]);
    expect(ledger.kinds.filter((kind) => kind === 'escalated')).toHaveLength(1);
  });
});

describe('reconciliation and a call at once', () => {
  test('mark once: whoever loses the race decides again and sends nothing', () => {
    const ledger = aged(minutes(1), ...UNKNOWN);
    const driven = reconcile(ledger, {
      evidence: ABSENT,
      before: (command) => {
        const isMark = command.kind === 'save' && command.events.some(({ kind }) => kind === 'marked');
        if (isMark) ledger.add(marked(1, 2, { call: CALL_B, decidedAt: ledger.now }));
      },
    });
    expect(driven.sent).toEqual([]);
    expect(ledger.kinds.filter((kind) => kind === 'marked')).toHaveLength(2);
  });

  test('nobody is promised anything by reconciliation', () => {
    const ledger = aged(minutes(1), ...UNKNOWN);
    reconcile(ledger, { evidence: INCONCLUSIVE }, { call: { ...RECONCILIATION, sessionId: 'chat-9' } });
    expect(ledger.kinds).not.toContain('told');
  });
});
