// Needs nothing.
import type { AnsweredEvent, OperationEvent } from '../../src/operations/event';
import type { Outcome } from '../../src/operations/outcome';
import type { Awaiting } from '../../src/operations/perform';
import { start, step } from '../../src/operations/stepper';
import { codeOf, drive, LedgerOfOne, setup } from './drive';
import {
  AGAIN,
  AT_13_00,
  accepted,
  answered,
  CALL_A,
  CALL_B,
  closed,
  confirmed,
  dropped,
  effect,
  escalated,
  evidence,
  found,
  INCONCLUSIVE,
  KEY_1,
  KEY_2,
  marked,
  NONE,
  NONE_SEND_AGAIN,
  NOON,
  notSubmitted,
  OPERATION_ID,
  REQUEST,
  recorded,
  registered,
  rejected,
  SENT,
  SENT_BY_B,
  said,
  unknown,
} from './fixtures';

test('an execution begins with a read, and knows nothing before it', () => {
  expect(start()).toEqual({
    state: {
      awaiting: { kind: 'load' },
      now: 0,
      events: [],
      paused: false,
      finding: null,
      queried: false,
      answer: null,
      waited: 0,
    },
    command: { kind: 'load' },
  });
});

describe('a new operation', () => {
  test('is recorded and marked before the first byte leaves, in one read and two commits', () => {
    const ledger = new LedgerOfOne();
    const driven = drive(ledger, setup(), {
      outcome: confirmed(),
      before: (command) => {
        if (command.kind === 'send') expect(ledger.kinds).toEqual(['registered', 'marked']);
      },
    });
    expect(driven.commands).toEqual(['load', 'prepare', 'save', 'send', 'save', 'finish']);
    expect(codeOf(driven)).toBe('done');
    expect(ledger.kinds).toEqual(['registered', 'marked', 'answered']);
    expect(driven.sent).toEqual([
      {
        kind: 'send',
        generation: 1,
        attempt: 1,
        key: KEY_1,
        request: REQUEST,
        sendWithin: 10_000,
        answerWithin: 30_000,
      },
    ]);
  });

  test('has a mark whose bounds count from the read that the decision rests on', () => {
    const ledger = new LedgerOfOne();
    drive(ledger, setup(), {
      outcome: confirmed(),
      before: (command) => {
        if (command.kind === 'save') ledger.advance(7_000);
      },
    });
    expect(ledger.events[1]).toMatchObject({
      kind: 'marked',
      at: NOON + 7_000,
      decidedAt: NOON,
      sendBy: NOON + 10_000,
      answerBy: NOON + 40_000,
      arriveBy: NOON + 310_000,
    });
  });

  test('carries the tenant in its key where tenants share an account', () => {
    const driven = drive(new LedgerOfOne(), setup({ keyPrefix: 'shop~' }), { outcome: confirmed() });
    expect(driven.sent[0]?.key).toBe(`shop~${KEY_1}`);
  });

  test('that is refused is recorded as dropped before the call is told, so that no other attempt of it sends', () => {
    const ledger = new LedgerOfOne();
    const driven = drive(ledger, setup(), { prepared: { kind: 'refused', message: 'There is no such order.' } });
    expect(driven.end).toMatchObject({
      reply: {
        code: 'invalid_input',
        text: 'There is no such order. Nothing was sent.',
        operationId: OPERATION_ID,
      },
    });
    expect(ledger.kinds).toEqual(['closed', 'dropped']);
    // The frozen older attempt wakes: it is fenced.
    expect(codeOf(drive(ledger, setup()))).toBe('not_submitted');
  });

  test('whose content changed since it was planned is refused', () => {
    const changed = { kind: 'prepared', request: REQUEST, intent: '{"quantity":2}' } as const;
    expect(drive(new LedgerOfOne(), setup(), { prepared: changed }).end).toMatchObject({
      reply: {
        code: 'invalid_input',
        text: 'What this call is about has changed since it was planned. Look it up again. Nothing was sent.',
        operationId: OPERATION_ID,
      },
    });
  });

  test('whose registration somebody else saved first is joined', () => {
    const driven = drive(new LedgerOfOne(), setup(), {
      before: (command, ledger) => {
        if (command.kind === 'save' && ledger.events.length === 0)
          ledger.add(...SENT_BY_B, answered(confirmed(), 1, 1, CALL_B));
      },
    });
    expect(driven.commands).toEqual(['load', 'prepare', 'save', 'load', 'finish']);
    expect(codeOf(driven)).toBe('already_done');
  });

  test('is a mistake in the code where a later generation was planned, or a look is wanted', () => {
    expect(() => drive(new LedgerOfOne(), setup({ generation: 2 }))).toThrow('Bug: no record');
    expect(() => drive(new LedgerOfOne(), setup({ purpose: 'look' }))).toThrow('Bug: no record');
    expect(() => drive(new LedgerOfOne(...SENT), setup({ generation: 3 }))).toThrow('Bug: refund-1043-li_2 has 1');
  });
});

describe('an operation before a person', () => {
  test('is told as escalated, nothing is sent, and the session that hears of it first is noted once', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(unknown(), 1, 1, CALL_B), escalated());
    const driven = drive(ledger, setup());
    expect(driven.commands).toEqual(['load', 'save', 'finish']);
    expect(codeOf(driven)).toBe('escalated');
    expect(ledger.events.at(-1)).toMatchObject({ kind: 'told', call: CALL_A });
    expect(drive(ledger, setup()).commands).toEqual(['load', 'finish']);
  });
});

describe('a session that is told something unfinished', () => {
  const unfinished = [...SENT_BY_B, answered(unknown('pointless'), 1, 1, CALL_B), escalated()] as const;

  test('is told what is true by then, where somebody wrote while it was noted', () => {
    const ledger = new LedgerOfOne(...unfinished);
    const driven = drive(ledger, setup(), {
      before: (command) => {
        if (command.kind === 'save') ledger.add(evidence(found([effect('re_1')])));
      },
    });
    expect(driven.commands).toEqual(['load', 'save', 'load', 'finish']);
    expect(codeOf(driven)).toBe('already_done');
    expect(ledger.kinds).not.toContain('told');
  });

  test('is noted once, also where the confirmation of that is lost', () => {
    const ledger = new LedgerOfOne(...unfinished);
    const driven = drive(ledger, setup(), { cutCommitOf: 'told' });
    expect(codeOf(driven)).toBe('escalated');
    expect(ledger.kinds.filter((kind) => kind === 'told')).toHaveLength(1);
  });

  test('is not noted for a call that belongs to no conversation', () => {
    const ledger = new LedgerOfOne(...unfinished);
    const call = { ...CALL_A, sessionId: '' };
    expect(codeOf(drive(ledger, setup({ call, purpose: 'look' }), { evidence: INCONCLUSIVE }))).toBe('escalated');
    expect(ledger.kinds).not.toContain('told');
  });
});

describe('a settled operation', () => {
  test.each<[string, string, readonly OperationEvent[]]>([
    ['confirmed', 'already_done', [...SENT_BY_B, answered(confirmed(), 1, 1, CALL_B)]],
    ['rejected', 'rejected', [...SENT_BY_B, answered(rejected(), 1, 1, CALL_B)]],
  ])('%s is told as %s after one read, and nothing is sent', (_state, code, events) => {
    const driven = drive(new LedgerOfOne(...events), setup());
    expect(driven.commands).toEqual(['load', 'finish']);
    expect(codeOf(driven)).toBe(code);
  });

  test('that was rejected opens the next generation for a call planned after that, with a new request and key', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(rejected(), 1, 1, CALL_B));
    const driven = drive(ledger, setup({ generation: 2, intent: '{"quantity":3}' }), { outcome: confirmed('re_2') });
    expect(driven.sent).toMatchObject([{ generation: 2, attempt: 1, key: KEY_2 }]);
    expect(codeOf(driven)).toBe('done');
  });

  test('that a person rejected without leave opens none, and the call is fenced', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(unknown(), 1, 1, CALL_B), said(NONE, 3));
    expect(codeOf(drive(ledger, setup({ generation: 2 })))).toBe('rejected');
    expect(ledger.kinds.at(-1)).toBe('closed');
    // Leave that comes later is for calls that are planned later.
    ledger.add(evidence(found([effect('re_1')])), said(NONE_SEND_AGAIN, 6));
    expect(codeOf(drive(ledger, setup({ generation: 2, call: AGAIN })))).toBe('rejected');
  });

  test('that raised an alarm after its rejection opens none', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(rejected(), 1, 1, CALL_B), evidence(found([effect('re_1')])));
    expect(codeOf(drive(ledger, setup({ generation: 2 })))).toBe('escalated');
    // It hears how that ends: it was not refused.
    expect(ledger.kinds.slice(-1)).toEqual(['told']);
  });

  test('that was dropped is registered afresh: same generation and key, a new request and attempt number', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(notSubmitted(), 1, 1, CALL_B), closed(CALL_B), dropped());
    const driven = drive(ledger, setup({ intent: '{"quantity":3}' }), { outcome: confirmed() });
    expect(driven.sent).toMatchObject([{ generation: 1, attempt: 2, key: KEY_1 }]);
    expect(ledger.events.filter(({ kind }) => kind === 'registered')).toHaveLength(2);
  });

  test('is told to a call of an earlier generation as its own rejection, until the later one is sent', () => {
    const opened = [...SENT, answered(rejected()), registered(2, { call: CALL_B })] as const;
    expect(codeOf(drive(new LedgerOfOne(...opened), setup({ call: { ...CALL_A, callId: 'twin' } })))).toBe('rejected');
    const sent = [...opened, marked(2, 1, { call: CALL_B }), answered(confirmed('re_2'), 2, 1, CALL_B)];
    expect(codeOf(drive(new LedgerOfOne(...sent), setup({ call: { ...CALL_A, callId: 'twin' } })))).toBe(
      'already_done',
    );
  });
});

describe('other content under the same ID', () => {
  const other = setup({ intent: '{"quantity":2}' });

  test('is a conflict: the existing state is told, nothing is sent, and the call is fenced', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(confirmed(), 1, 1, CALL_B));
    const driven = drive(ledger, other);
    expect(driven.end).toMatchObject({ reply: { code: 'conflict', externalId: 're_1' } });
    expect(ledger.events.at(-1)).toMatchObject({ kind: 'closed', call: CALL_A });
    // Run again, it hears the same, and no second fence is written.
    const again = drive(ledger, { ...other, call: AGAIN });
    expect(again.commands).toEqual(['load', 'finish']);
    expect(codeOf(again)).toBe('conflict');
    expect(ledger.events).toHaveLength(4);
  });

  test('is none for a call of an earlier generation, whose content was that of its own', () => {
    const opened = [...SENT, answered(rejected()), registered(2, { call: CALL_B, intent: '{"quantity":3}' })];
    const sent = [...opened, marked(2, 1, { call: CALL_B }), answered(confirmed('re_2'), 2, 1, CALL_B)];
    expect(codeOf(drive(new LedgerOfOne(...sent), setup({ call: { ...CALL_A, callId: 'twin' } })))).toBe(
      'already_done',
    );
  });

  test('does not drop what the other call recorded', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B, answered(notSubmitted(), 1, 1, CALL_B));
    expect(codeOf(drive(ledger, other))).toBe('conflict');
    expect(ledger.kinds).not.toContain('dropped');
  });

  test.each([{ tool: 'refund_order' }, { provider: 'adyen.refunds' }])(
    'so is another tool or provider: %j',
    (parts) => {
      const ledger = new LedgerOfOne(...SENT_BY_B, answered(rejected(), 1, 1, CALL_B));
      expect(codeOf(drive(ledger, setup(parts)))).toBe('conflict');
    },
  );

  test('is none after a rejection, where there is an alarm about what nobody registered, or for what was dropped', () => {
    expect(codeOf(drive(new LedgerOfOne(...SENT_BY_B, answered(rejected(), 1, 1, CALL_B)), other))).toBe('rejected');
    const stranger = evidence(found([effect('re_9')]));
    expect(codeOf(drive(new LedgerOfOne(closed(CALL_B), dropped(), stranger), other))).toBe('escalated');
    expect(codeOf(drive(new LedgerOfOne(closed(CALL_B), dropped()), other, { outcome: confirmed() }))).toBe('done');
  });
});

describe("another call's attempt in flight", () => {
  test('is joined for a short while, then told as in progress', () => {
    const ledger = new LedgerOfOne(...SENT_BY_B);
    const driven = drive(ledger, setup());
    expect(driven.commands).toEqual(['load', 'wait', 'load', 'wait', 'load', 'save', 'finish']);
    expect(codeOf(driven)).toBe('in_progress');
  });

  test('is told as done if it ends meanwhile', () => {
    const driven = drive(new LedgerOfOne(...SENT_BY_B), setup(), {
      before: (command, ledger) => {
        if (command.kind === 'wait') ledger.add(answered(confirmed(), 1, 1, CALL_B));
      },
    });
    expect(codeOf(driven)).toBe('already_done');
  });
});

describe('a driver that brings what was not asked for', () => {
  const first = start();
  const loaded = step(setup(), first.state, { kind: 'loaded', now: NOON, events: [] });
  const prepared = step(setup(), loaded.state, { kind: 'prepared', request: REQUEST, intent: setup().intent });
  const sending = step(setup(), prepared.state, { kind: 'saved', now: NOON });
  const recording = step(setup(), sending.state, { kind: 'answered', outcome: confirmed() });
  const over = step(setup(), recording.state, { kind: 'saved', now: NOON });
  const unknownOne = new LedgerOfOne(...SENT_BY_B, answered(unknown(), 1, 1, CALL_B)).events;
  const asking = step(setup(), first.state, { kind: 'loaded', now: NOON, events: unknownOne });
  const found1 = step(setup(), asking.state, { kind: 'found', evidence: found([effect('re_1')]) });
  const recordingFinding = step(setup(), found1.state, { kind: 'loaded', now: NOON, events: unknownOne });
  const closing = step(setup(), loaded.state, { kind: 'refused', message: 'No.' });
  const unfinished = [...SENT_BY_B, answered(unknown(), 1, 1, CALL_B), escalated()];
  const telling = step(setup(), first.state, { kind: 'loaded', now: NOON, events: recorded(...unfinished) });
  const waiting = step(setup(), first.state, {
    kind: 'loaded',
    now: NOON,
    events: new LedgerOfOne(...SENT_BY_B).events,
  });

  test.each([
    ['load', first],
    ['prepare', loaded],
    ['mark', prepared],
    ['send', sending],
    ['record-answer', recording],
    ['find', asking],
    ['record-finding', recordingFinding],
    ['close', closing],
    ['tell', telling],
    ['wait', waiting],
    ['nothing', over],
  ])('at %s is a mistake in the code', (awaited, { state }) => {
    expect(state.awaiting.kind).toBe(awaited);
    const wrong = awaited === 'wait' ? ({ kind: 'lost' } as const) : ({ kind: 'waited' } as const);
    expect(() => step(setup(), state, wrong)).toThrow(`Bug: awaiting ${awaited}, the driver brought ${wrong.kind}.`);
  });

  test('at what a newer release awaits stops: this one has no rule for it', () => {
    const state = { ...first.state, awaiting: { kind: 'approval' } as never };
    expect(() => step(setup(), state, { kind: 'waited' })).toThrow('Bug: no rule for {"kind":"approval"}.');
  });

  test('a session that is noted is in the history that the execution ends with, as it is in the ledger', () => {
    const { state, command } = step(setup(), telling.state, { kind: 'saved', now: AT_13_00 });
    expect(command).toMatchObject({ kind: 'finish', reply: { code: 'escalated' } });
    expect(state.events.slice(4)).toEqual([{ kind: 'told', generation: 1, call: CALL_A, seq: 5, at: AT_13_00 }]);
  });

  test('what was saved is in the history of the execution, in its place', () => {
    expect(sending.state.events).toMatchObject([
      { kind: 'registered', seq: 1 },
      { kind: 'marked', seq: 2 },
    ]);
  });

  test('a lost close is decided anew', () => {
    expect(step(setup(), closing.state, { kind: 'lost' }).command).toEqual({ kind: 'load' });
  });
});

describe('a history that no rule writes is a mistake in the code, and sends nothing', () => {
  const carriedOn = (events: readonly OperationEvent[], awaiting: Awaiting) =>
    step(setup(), { ...start().state, now: NOON, events: recorded(...events), awaiting }, { kind: 'saved', now: NOON });
  const answer = (outcome: Outcome): Awaiting => ({
    kind: 'record-answer',
    answer: answered(outcome) as AnsweredEvent,
  });

  test('an answer without a record', () => {
    expect(() => carriedOn([], answer(confirmed()))).toThrow('Bug: the record of refund-1043-li_2 is gone.');
  });

  test('a call that was closed and nothing recorded of it', () => {
    expect(() => carriedOn([], { kind: 'close', events: [], reply: null })).toThrow(
      'Bug: the record of refund-1043-li_2 is gone.',
    );
  });

  test('a generation that was neither registered nor dropped', () => {
    expect(() => drive(new LedgerOfOne(closed(CALL_B)), setup())).toThrow(
      'Bug: refund-1043-li_2 has no request to send.',
    );
  });

  test('a stored answer to what was never registered', () => {
    expect(() => carriedOn([closed(), marked()], answer(accepted('re_1', true)))).toThrow(
      'Bug: nothing was registered, so there is nothing to look for.',
    );
  });
});

test('a save whose time is earlier than the read it rests on takes nothing of that time back', () => {
  const loaded = step(setup(), start().state, { kind: 'loaded', now: AT_13_00, events: recorded(registered()) });
  expect(loaded.command.kind).toBe('save');
  const { state } = step(setup(), loaded.state, { kind: 'saved', now: NOON });
  expect(state.now).toBe(AT_13_00);
  expect(state.events.at(-1)).toMatchObject({ kind: 'marked', at: NOON });
});
