// Needs nothing.
import type { OperationEvent } from '../../src/operations/event';
import { isPaused } from '../../src/operations/pause';
import { minutes } from '../../src/operations/time';
import { codeOf, drive, LedgerOfOne, setup } from './drive';
import {
  ABSENT,
  answered,
  CALL_A,
  CALL_B,
  confirmed,
  effect,
  folded,
  found,
  INTENT,
  KEY_2,
  marked,
  notSubmitted,
  REQUEST,
  registered,
  rejected,
  unknown,
} from './fixtures';

function paused(...events: readonly OperationEvent[]): LedgerOfOne {
  const ledger = new LedgerOfOne(...events);
  ledger.pause();
  return ledger;
}

test('a pause names a tool or a provider, and stops nothing of another name or kind', () => {
  const of = { tool: 'refund_line_item', provider: 'stripe.refunds' };
  expect(isPaused([{ kind: 'tool', name: 'refund_line_item' }], of)).toBe(true);
  expect(isPaused([{ kind: 'provider', name: 'stripe.refunds' }], of)).toBe(true);
  expect(isPaused([{ kind: 'tool', name: 'stripe.refunds' }], of)).toBe(false);
  expect(isPaused([{ kind: 'provider', name: 'mail' }], of)).toBe(false);
});

describe('a call while it is paused', () => {
  test('records its request, sends nothing and is told that it waits', () => {
    const ledger = paused();
    const driven = drive(ledger, setup());
    expect(driven.commands).toEqual(['load', 'prepare', 'save', 'finish']);
    expect(ledger.kinds).toEqual(['registered', 'waiting']);
    expect(codeOf(driven)).toBe('waiting');
    expect(folded(...ledger.events)).toMatchObject({ state: 'registered', current: { waitsFor: 'resume' } });
  });

  test('holds what was recorded and did not leave', () => {
    const ledger = paused(registered(), marked(), answered(notSubmitted()));
    expect(codeOf(drive(ledger, setup()))).toBe('waiting');
    expect(ledger.kinds.at(-1)).toBe('waiting');
  });

  test('holds the next generation after a rejection, with its own key', () => {
    const ledger = paused(registered(), marked(), answered(rejected()));
    expect(codeOf(drive(ledger, setup({ generation: 2, call: CALL_B })))).toBe('waiting');
    expect(ledger.events.at(-2)).toMatchObject({ kind: 'registered', generation: 2, key: KEY_2 });
    expect(ledger.kinds.at(-1)).toBe('waiting');
  });

  test('is told that it waits where another call waits, and its session is noted', () => {
    const ledger = paused();
    drive(ledger, setup());
    expect(codeOf(drive(ledger, setup({ call: CALL_B })))).toBe('waiting');
    expect(ledger.events.at(-1)).toMatchObject({ kind: 'told', call: CALL_B });
    expect(codeOf(drive(ledger, setup({ call: CALL_A })))).toBe('waiting');
    expect(ledger.events).toHaveLength(3);
  });

  test('asks about what is unknown and sends nothing again', () => {
    const events = [registered(), marked(), answered(unknown())] as const;
    const driven = drive(paused(...events), setup({ call: CALL_B }), { evidence: ABSENT });
    expect(driven.asked).toHaveLength(1);
    expect(driven.sent).toEqual([]);
    expect(codeOf(driven)).toBe('outcome_unknown');
    const shown = drive(paused(...events), setup({ call: CALL_B }), { evidence: found([effect('re_1')]) });
    expect(codeOf(shown)).toBe('already_done');
  });

  test('of other content is a conflict, and is refused as ever', () => {
    const ledger = paused();
    drive(ledger, setup());
    expect(codeOf(drive(ledger, setup({ call: CALL_B, intent: `${INTENT} ` })))).toBe('conflict');
  });
});

describe('after the resume', () => {
  test('a call sends what waits: the stored request, once', () => {
    const ledger = paused();
    drive(ledger, setup());
    ledger.pause(false);
    const driven = drive(ledger, setup({ call: CALL_B }), { outcome: confirmed() });
    expect(driven.sent).toMatchObject([{ attempt: 1, request: REQUEST }]);
    expect(codeOf(driven)).toBe('done');
  });

  test('what reconciliation sent is done for the call that waited', () => {
    const ledger = paused();
    drive(ledger, setup());
    ledger.pause(false);
    ledger.advance(minutes(1));
    const call = { ...CALL_A, callId: 'reconciliation/7' };
    drive(ledger, setup({ purpose: 'reconcile', intent: '', call }), { outcome: confirmed() });
    expect(codeOf(drive(ledger, setup()))).toBe('already_done');
  });

  test('what did not leave waits on, for nothing but its sending', () => {
    const ledger = paused();
    drive(ledger, setup());
    ledger.pause(false);
    const codes = [1, 2].map((activityAttempt) =>
      codeOf(drive(ledger, setup({ call: { ...CALL_B, activityAttempt } }), { outcome: notSubmitted() })),
    );
    expect(codes).toEqual(['retry', 'waiting']);
    // The call has given up; what waits is not dropped with it.
    expect(ledger.kinds).toContain('closed');
    expect(folded(...ledger.events)).toMatchObject({ state: 'registered', current: { waitsFor: 'resume' } });
  });
});

test('a pause that begins after the read it was decided on stops nothing any more', () => {
  const ledger = new LedgerOfOne();
  const driven = drive(ledger, setup(), {
    outcome: confirmed(),
    before: (command) => {
      if (command.kind === 'prepare') ledger.pause();
    },
  });
  expect(codeOf(driven)).toBe('done');
});
