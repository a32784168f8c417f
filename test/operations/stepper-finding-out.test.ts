// Needs nothing.
import type { CallRef, OperationEvent } from '../../src/operations/event';
import type { Evidence, FoundEffect } from '../../src/operations/evidence';
import { hours } from '../../src/operations/time';
import { codeOf, drive, LedgerOfOne, setup } from './drive';
import {
  ABSENT,
  accepted,
  answered,
  CALL_B,
  CONTRACT,
  closed,
  confirmed,
  copy,
  dropped,
  effect,
  evidence,
  folded,
  found,
  INCONCLUSIVE,
  KEY_1,
  KEY_2,
  marked,
  NONE_SEND_AGAIN,
  NOON,
  PROVEN,
  REQUEST,
  registered,
  rejected,
  SENT_BY_B,
  said,
  unknown,
} from './fixtures';

describe('an unknown operation', () => {
  const unknownOne = [...SENT_BY_B, answered(unknown(), 1, 1, CALL_B)] as const;

  test('is asked for first, and told as it was found', () => {
    const ledger = new LedgerOfOne(...unknownOne);
    const driven = drive(ledger, setup(), { evidence: found([effect('re_1')]) });
    expect(driven.commands).toEqual(['load', 'find', 'load', 'save', 'finish']);
    expect(driven.asked).toEqual([{ kind: 'find', request: REQUEST, keys: [KEY_1], externalId: null, since: NOON }]);
    expect(codeOf(driven)).toBe('already_done');
    expect(ledger.events.at(-1)).toMatchObject({ kind: 'evidence', source: 'query', begunAt: NOON, final: false });
  });

  test('is asked for since its first attempt of all, under the keys of all its generations', () => {
    const second = [registered(2), marked(2, 1, { decidedAt: NOON + 60_000 }), answered(unknown(), 2)];
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(rejected(), 1, 1, CALL_B), ...second);
    ledger.advance(120_000);
    const driven = drive(ledger, setup({ generation: 2, call: ASKING }), { evidence: INCONCLUSIVE });
    expect(driven.asked).toMatchObject([{ since: NOON, keys: [KEY_1, KEY_2] }]);
  });

  test('is sent again under the same key, as the first request, only on a complete empty answer', () => {
    const ledger = new LedgerOfOne(...unknownOne);
    const driven = drive(ledger, setup(), { evidence: ABSENT, outcome: confirmed() });
    expect(driven.commands).toEqual(['load', 'find', 'load', 'save', 'send', 'save', 'finish']);
    expect(ledger.kinds.slice(3)).toEqual(['evidence', 'marked', 'answered']);
    expect(driven.sent).toMatchObject([{ generation: 1, attempt: 2, key: KEY_1, request: REQUEST }]);
  });

  test.each([
    ['an inconclusive query', INCONCLUSIVE],
    ['a query that was not complete', found([effect('re_0', 'failed', { key: 'refund-9' })], false)],
  ])('is not sent again on %s', (_name, what) => {
    const driven = drive(new LedgerOfOne(...unknownOne), setup(), { evidence: what });
    expect(driven.sent).toEqual([]);
  });

  test('is not sent again on a look that is older than the newest attempt', () => {
    const driven = drive(new LedgerOfOne(...unknownOne), setup(), {
      evidence: ABSENT,
      before: (command, ledger) => {
        if (command.kind !== 'find') return;
        ledger.advance(1_000);
        ledger.add(marked(1, 2, { call: CALL_B, decidedAt: ledger.now }), answered(unknown(), 1, 2, CALL_B));
      },
    });
    expect(codeOf(driven)).toBe('outcome_unknown');
    expect(driven.sent).toEqual([]);
  });

  test('is not sent again on a look that began before the newest attempt was marked, however early that was decided', () => {
    const ledger = new LedgerOfOne(...unknownOne);
    const decidedAt = ledger.now;
    ledger.advance(1_000);
    const driven = drive(ledger, setup(), {
      evidence: ABSENT,
      before: (command) => {
        if (command.kind !== 'find') return;
        ledger.add(marked(1, 2, { call: CALL_B, decidedAt }), answered(unknown(), 1, 2, CALL_B));
      },
    });
    expect(driven.asked).toHaveLength(1);
    expect(driven.sent).toEqual([]);
    expect(codeOf(driven)).toBe('outcome_unknown');
  });

  test('is not sent again after its window', () => {
    const ledger = new LedgerOfOne(...unknownOne);
    ledger.advance(hours(24));
    expect(codeOf(drive(ledger, setup(), { evidence: ABSENT }))).toBe('outcome_unknown');
    expect(ledger.kinds.slice(3)).toEqual(['evidence', 'told']);
  });

  test('needs no query where none exists', () => {
    const driven = drive(new LedgerOfOne(...unknownOne), setup({ hasQuery: false }), { outcome: confirmed() });
    expect(driven.commands).toEqual(['load', 'save', 'send', 'save', 'finish']);
  });

  test('is never sent again where the provider knows no key', () => {
    const mail = setup({ hasQuery: false, contract: { ...CONTRACT, key: 'none' } });
    expect(codeOf(drive(new LedgerOfOne(...unknownOne), mail))).toBe('outcome_unknown');
  });

  test('is told as it is after its own unknown send: the call does not query at once', () => {
    const driven = drive(new LedgerOfOne(), setup(), { outcome: unknown() });
    expect(driven.commands).toEqual(['load', 'prepare', 'save', 'send', 'save', 'finish']);
    expect(codeOf(driven)).toBe('outcome_unknown');
  });

  test('whose absence is proven is rejected and sends nothing, though its key could be used again', () => {
    const ledger = new LedgerOfOne(...unknownOne);
    ledger.advance(hours(2));
    const driven = drive(ledger, setup({ contract: PROVEN }), { evidence: ABSENT });
    expect(driven.commands).toEqual(['load', 'find', 'load', 'save', 'finish']);
    expect(ledger.events.at(-1)).toMatchObject({ kind: 'evidence', final: true });
    expect(codeOf(driven)).toBe('rejected');
  });
});

describe('a check', () => {
  const check = (ledger: LedgerOfOne, what: Evidence) =>
    drive(ledger, setup({ purpose: 'check', intent: '' }), { evidence: what });

  test.each<[string, readonly OperationEvent[]]>([
    ['in flight', SENT_BY_B],
    ['confirmed', [...SENT_BY_B, answered(confirmed(), 1, 1, CALL_B)]],
    ['rejected', [...SENT_BY_B, answered(rejected(), 1, 1, CALL_B)]],
    ['never sent', [registered(1, { call: CALL_B })]],
  ])('asks about what is %s, once, and never registers or sends', (_state, events) => {
    expect(check(new LedgerOfOne(...events), ABSENT).commands).toEqual(['load', 'find', 'load', 'save', 'finish']);
  });

  test('asks about what is settled by a person, and does not record the same nothing again', () => {
    const events = [...SENT_BY_B, answered(unknown(), 1, 1, CALL_B), evidence(ABSENT), said(NONE_SEND_AGAIN, 4)];
    expect(check(new LedgerOfOne(...events), ABSENT).commands).toEqual(['load', 'find', 'load', 'finish']);
  });

  test('of a refund that failed after it was confirmed raises the alarm', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(confirmed('re_1'), 1, 1, CALL_B));
    const driven = check(ledger, found([effect('re_1', 'failed')], false));
    expect(driven.asked).toMatchObject([{ externalId: 're_1' }]);
    expect(codeOf(driven)).toBe('escalated');
  });

  test('asks nobody where nothing was ever registered', () => {
    const ledger = new LedgerOfOne(closed(CALL_B), dropped());
    expect(check(ledger, ABSENT).commands).toEqual(['load', 'finish']);
  });
});

/** Of the session that sent: it will hear anyway, and nothing is noted for it. */
const ASKING: CallRef = { ...CALL_B, callId: 'chat-555/5/1/0' };

describe('a look', () => {
  const look = (ledger: LedgerOfOne, what: Evidence | undefined, parts: Parameters<typeof setup>[0] = {}) =>
    drive(ledger, setup({ purpose: 'look', intent: '', call: ASKING, ...parts }), what ? { evidence: what } : {});

  test('asks and records what it finds, and never registers or sends', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(unknown(), 1, 1, CALL_B));
    const driven = look(ledger, ABSENT);
    expect(driven.commands).toEqual(['load', 'find', 'load', 'save', 'finish']);
    expect(codeOf(driven)).toBe('outcome_unknown');
  });

  test('asks for what was accepted by its number', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(accepted('re_1'), 1, 1, CALL_B));
    const driven = look(ledger, found([effect('re_1', 'pending')], false));
    expect(driven.asked).toMatchObject([{ externalId: 're_1' }]);
    // The same again is not recorded again.
    expect(driven.commands).toEqual(['load', 'find', 'load', 'finish']);
    expect(codeOf(driven)).toBe('in_progress');
  });

  test('asks again for what a person has before them, and for everything where there is an alarm', () => {
    const stranger = effect('re_9', 'succeeded', { key: null, mismatch: 'its amount is 5, not 4900' });
    const ledger = new LedgerOfOne(
      ...SENT_BY_B,
      answered(accepted('re_1'), 1, 1, CALL_B),
      evidence(found([stranger], false)),
    );
    const driven = look(ledger, found([stranger, effect('re_1', 'pending')]));
    expect(driven.asked).toMatchObject([{ externalId: null }]);
    expect(codeOf(driven)).toBe('escalated');
  });

  test('records once that everything was looked at after nothing could arrive, though it found nothing new', () => {
    const stranger = effect('re_9', 'succeeded', { key: null, mismatch: 'its amount is 5, not 4900' });
    const ledger = new LedgerOfOne(
      ...SENT_BY_B,
      answered(unknown(), 1, 1, CALL_B),
      evidence(found([stranger]), { begunAt: NOON }),
    );
    expect(look(ledger, found([stranger])).commands).toEqual(['load', 'find', 'load', 'finish']);
    ledger.advance(hours(1));
    expect(look(ledger, found([stranger])).commands).toEqual(['load', 'find', 'load', 'save', 'finish']);
    ledger.advance(hours(1));
    expect(look(ledger, found([stranger])).commands).toEqual(['load', 'find', 'load', 'finish']);
  });

  test('records proof of absence though it found only what earlier generations made', () => {
    const first = [...SENT_BY_B, answered(rejected('all', 're_1'), 1, 1, CALL_B)] as const;
    const ledger = new LedgerOfOne(...first, registered(2), marked(2), answered(unknown(), 2));
    ledger.advance(hours(3));
    const driven = look(ledger, found([effect('re_1', 'failed')]), { contract: PROVEN });
    expect(ledger.events.at(-1)).toMatchObject({ kind: 'evidence', generation: 2, final: true });
    expect(codeOf(driven)).toBe('rejected');
  });

  test.each<[string, FoundEffect]>([
    ['under a key that is not ours', effect('re_1', 'pending', { key: 'refund-9' })],
    ['on something else', effect('re_1', 'pending', { mismatch: 'its amount is 5, not 4900' })],
    ['with another status', effect('re_1', 'failed')],
  ])('records a number that is known %s', (_how, seen) => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(accepted('re_1'), 1, 1, CALL_B));
    look(ledger, found([seen], false));
    expect(ledger.kinds.at(-1)).toBe('evidence');
    look(ledger, found([seen], false));
    expect(ledger.kinds.filter((kind) => kind === 'evidence')).toHaveLength(1);
  });

  test('records a number that is known of another generation than its key says', () => {
    const second = [registered(2), marked(2), answered(accepted('re_1'), 2)];
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(rejected(), 1, 1, CALL_B), ...second);
    look(ledger, found([effect('re_1', 'pending', { key: KEY_1 })], false), { generation: 2 });
    expect(ledger.kinds.slice(-2)).toEqual(['evidence', 'told']);
    expect(folded(...ledger.events)).toMatchObject({ state: 'escalated' });
  });

  test.each([KEY_1, null])('records nothing where a known number is seen again as it is known (key %s)', (key) => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(accepted('re_1'), 1, 1, CALL_B));
    look(ledger, found([effect('re_1', 'pending', { key })], false));
    expect(ledger.kinds).not.toContain('evidence');
  });

  test('asks by the keys of what was registered', () => {
    const ledger = new LedgerOfOne(closed(CALL_B), dropped(), registered(2), marked(2), answered(unknown(), 2));
    expect(look(ledger, INCONCLUSIVE).asked).toMatchObject([{ keys: [KEY_2] }]);
  });

  test('asks nothing of what is settled, in flight or never sent, or where nobody can be asked', () => {
    for (const events of [
      [...SENT_BY_B, answered(confirmed(), 1, 1, CALL_B)],
      [...SENT_BY_B],
      [registered(1, { call: CALL_B })],
    ]) {
      expect(look(new LedgerOfOne(...events), undefined).commands).toEqual(['load', 'finish']);
    }
    const unregistered = new LedgerOfOne(closed(CALL_B), dropped(), evidence(found([effect('re_9')])));
    expect(look(unregistered, undefined).asked).toEqual([]);
    const unknownOne = new LedgerOfOne(...SENT_BY_B, answered(unknown(), 1, 1, CALL_B));
    expect(look(unknownOne, undefined, { hasQuery: false }).commands).toEqual(['load', 'finish']);
  });
});

describe('what was accepted', () => {
  test('is asked for by its number, and never created anew', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(accepted('re_1'), 1, 1, CALL_B));
    const driven = drive(ledger, setup(), { evidence: found([effect('re_1', 'succeeded')], false) });
    expect(driven.asked).toMatchObject([{ externalId: 're_1' }]);
    expect(codeOf(driven)).toBe('already_done');
    const still = new LedgerOfOne(...SENT_BY_B, answered(accepted('re_1'), 1, 1, CALL_B));
    expect(codeOf(drive(still, setup(), { evidence: found([effect('re_1', 'pending')], false) }))).toBe('in_progress');
  });

  test('is never sent again, whatever a query does not show, and where nobody can be asked', () => {
    const taken = [...SENT_BY_B, answered(accepted('re_1'), 1, 1, CALL_B)] as const;
    const shown = drive(new LedgerOfOne(...taken), setup(), { evidence: ABSENT });
    expect(shown.asked).toHaveLength(1);
    expect([codeOf(shown), shown.sent]).toEqual(['in_progress', []]);
    const unasked = drive(new LedgerOfOne(...taken), setup({ hasQuery: false }));
    expect([codeOf(unasked), unasked.sent]).toEqual(['in_progress', []]);
  });

  test('in an answer of its own is told, and not asked about at once', () => {
    const driven = drive(new LedgerOfOne(), setup(), { outcome: accepted('re_1') });
    expect(driven.asked).toEqual([]);
    expect(codeOf(driven)).toBe('in_progress');
  });

  test('in a replayed answer is read again first', () => {
    const driven = drive(new LedgerOfOne(), setup(), {
      outcome: accepted('re_1', true),
      evidence: found([effect('re_1')], false),
    });
    expect(driven.commands).toEqual(['load', 'prepare', 'save', 'send', 'save', 'find', 'load', 'save', 'finish']);
    expect(codeOf(driven)).toBe('done');
  });

  test.each(['pending', 'succeeded', 'failed'] as const)(
    'in a stored answer that says %s settles nothing',
    (status) => {
      const driven = drive(new LedgerOfOne(), setup(), { outcome: copy(status), evidence: INCONCLUSIVE });
      expect(codeOf(driven)).toBe('in_progress');
    },
  );

  test('in a stored answer and found as it says is recorded: the copy alone is no news of now', () => {
    const ledger = new LedgerOfOne();
    drive(ledger, setup(), { outcome: copy('succeeded'), evidence: found([effect('re_1')], false) });
    expect(ledger.kinds).toEqual(['registered', 'marked', 'answered', 'evidence']);
    expect(folded(...ledger.events)).toMatchObject({ state: 'confirmed', resolvedBy: 'query' });
  });

  test('in a replayed answer, where nobody can ask, stays accepted', () => {
    const driven = drive(new LedgerOfOne(), setup({ hasQuery: false }), { outcome: accepted('re_1', true) });
    expect(codeOf(driven)).toBe('in_progress');
  });
});

describe('a refusal of an answer', () => {
  const answerOf = (parts: Parameters<typeof setup>[0], outcome = rejected('all')) => {
    const ledger = new LedgerOfOne();
    drive(ledger, setup(parts), { outcome });
    return ledger.events.at(-1);
  };
  const key = { window: hours(24), margin: hours(1), maxLength: 255 } as const;

  test('covers all attempts only where the contract stores every answer, or of an effect that failed', () => {
    const successes = { contract: { ...CONTRACT, key: { ...key, replays: 'successes' } } } as const;
    expect(answerOf({})).toMatchObject({ outcome: { covers: 'all' } });
    expect(answerOf({}, rejected('attempt'))).toMatchObject({ outcome: { covers: 'attempt' } });
    expect(answerOf(successes)).toMatchObject({ outcome: { covers: 'attempt' } });
    expect(answerOf(successes, rejected('all', 're_1'))).toMatchObject({ outcome: { covers: 'all' } });
    expect(answerOf({ hasQuery: false, contract: { ...CONTRACT, key: 'none' } })).toMatchObject({
      outcome: { covers: 'attempt' },
    });
  });
});
