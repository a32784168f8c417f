// Needs nothing.
import { type Closing, closingEvents } from '../../src/operations/closing';
import type { OperationEvent } from '../../src/operations/event';
import { drive, LedgerOfOne, setup } from './drive';
import {
  answered,
  CALL_A,
  CALL_B,
  closed,
  dropped,
  folded,
  marked,
  notSubmitted,
  recorded,
  registered,
  rejected,
  unknown,
} from './fixtures';

const [BY_A, BY_B] = [CALL_A, CALL_B].map((call) => [
  registered(1, { call }),
  marked(1, 1, { call }),
  answered(notSubmitted(), 1, 1, call),
]) as [OperationEvent[], OperationEvent[]];

function closing(events: readonly OperationEvent[], parts: Partial<Closing> = {}): string[] {
  const about = { call: CALL_A, generation: 1, tool: 'refund_line_item', provider: 'stripe.refunds', why: 'cancelled' };
  return closingEvents(folded(...events), { ...about, ...parts }, recorded(...events)).map(({ kind }) => kind);
}

describe('closing a call', () => {
  test('drops what it recorded and nobody sent', () => {
    expect(closing(BY_A)).toEqual(['closed', 'dropped']);
  });

  test('drops what it recorded though another call tried it since: that one may be told unknown, and have left', () => {
    const tried = [...BY_A, marked(1, 2, { call: CALL_B }), answered(notSubmitted(), 1, 2, CALL_B)];
    expect(closing(tried)).toEqual(['closed', 'dropped']);
  });

  test('leaves what another call recorded and still tries', () => {
    expect(closing(BY_B)).toEqual(['closed']);
  });

  test('drops what it tried last, whoever recorded it: the others may have been told to wait, and left', () => {
    expect(closing([...BY_B, marked(1, 2), answered(notSubmitted(), 1, 2)])).toEqual(['closed', 'dropped']);
  });

  test('drops what another call recorded that is over: nobody else will send or drop it', () => {
    const over = [
      registered(1, { call: CALL_B }),
      marked(1, 1, { call: CALL_B }),
      closed(CALL_B),
      answered(notSubmitted(), 1, 1, CALL_B),
    ];
    expect(closing(over)).toEqual(['closed', 'dropped']);
  });

  test('notes a session that is told something unfinished: it will hear how that ends', () => {
    const sentByB = [registered(1, { call: CALL_B }), marked(1, 1, { call: CALL_B })];
    expect(closing(sentByB)).toEqual(['told', 'closed']);
    expect(closing([...sentByB, answered(unknown(), 1, 1, CALL_B)])).toEqual(['told', 'closed']);
    // Refused before, and the refusal was lost: it is told what is true, and its customer is authorised by nothing.
    const refused = [...sentByB, closed()];
    expect(closing(refused)).toEqual(['told']);
    const stranger = { ...CALL_A, customer: 'customer-9' };
    const told = { kind: 'told', generation: 1, call: stranger } as const;
    expect(folded(...sentByB, closed(stranger), told).customers).toEqual(['customer-77']);
    expect(folded(...sentByB, told, closed(stranger)).customers).toEqual(['customer-77', 'customer-9']);
  });

  test('notes nobody who has a part in it, or is told what is certain', () => {
    expect(closing([registered(), marked()])).toEqual(['closed']);
    expect(closing([registered(), marked(), answered(rejected())])).toEqual([]);
    expect(
      closing([registered(1, { call: CALL_B }), marked(1, 1, { call: CALL_B }), answered(rejected(), 1, 1, CALL_B)]),
    ).toEqual(['closed']);
  });

  test('does not drop what waits: reconciliation sends it', () => {
    const waiting = { kind: 'waiting', generation: 1, call: CALL_A, waitsFor: 'resume' } as const;
    expect(closing([registered(), waiting])).toEqual(['closed']);
  });

  test('leaves another generation alone, whoever recorded it', () => {
    const rejectedOnce = [registered(), marked(), answered(rejected())];
    const call = { ...CALL_A, callId: 'chat-912/2/1/0' };
    const second = [
      registered(2, { call: CALL_B }),
      marked(2, 1, { call: CALL_B }),
      answered(notSubmitted(), 2, 1, CALL_B),
    ];
    expect(closing([...rejectedOnce, ...second], { call })).toEqual(['closed']);
    expect(closing([...rejectedOnce, ...second, closed(CALL_B, 2)], { call })).toEqual(['closed']);
    // It is told the rejection it was planned for, whatever the later one waits for: nobody is to hear of that one.
    const waiting = { kind: 'waiting', generation: 2, call: CALL_B, waitsFor: 'resume' } as const;
    expect(closing([...rejectedOnce, registered(2, { call: CALL_B }), waiting], { call })).toEqual(['closed']);
  });

  test('drops what was registered afresh by the call that did so', () => {
    expect(closing([...BY_B, dropped(), registered()])).toEqual(['closed', 'dropped']);
    expect(closing([...BY_A, dropped(), registered(1, { call: CALL_B })])).toEqual(['closed']);
  });

  test('drops nothing where nobody ever registered anything', () => {
    expect(closing([closed(CALL_B)])).toEqual(['closed']);
  });

  test('drops nothing that may have been sent, and says nothing twice', () => {
    expect(closing([registered(), marked(), marked(1, 2, { call: CALL_B })])).toEqual(['closed']);
    expect(closing([registered(), marked(), answered(unknown())])).toEqual([]);
    expect(closing([...BY_A, closed()])).toEqual([]);
  });
});

test('a call that gives up leaves what another one tries, and is told why nothing was sent for it', () => {
  const again = { ...CALL_A, activityAttempt: 2 };
  const ledger = new LedgerOfOne(...BY_B, marked(1, 2), answered(notSubmitted(), 1, 2));
  const driven = drive(ledger, setup({ call: again }), {
    outcome: notSubmitted('ECONNREFUSED'),
    before: (command, { events }) => {
      if (command.kind !== 'save' || events.length !== 7) return;
      ledger.add(marked(1, 4, { call: CALL_B }), answered(notSubmitted(), 1, 4, CALL_B));
    },
  });
  expect(ledger.kinds.at(-1)).toBe('closed');
  expect(folded(...ledger.events).state).toBe('registered');
  expect(driven.end).toMatchObject({
    reply: {
      code: 'not_submitted',
      text: expect.stringContaining('Given up after 2 attempts that did not leave: ECONNREFUSED'),
    },
  });
});
