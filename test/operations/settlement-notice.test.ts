// Needs nothing.
import type { OperationEvent } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import { settlementNotice } from '../../src/operations/settlement-notice';
import { answered, at, marked, RECEIPT, registered } from '../support/fixtures';

const ID = 'refund-1043-li_2';

function noticeOf(...events: OperationEvent[]): string | null {
  const operation = fold(events.map((event, index) => ({ ...event, seq: index + 1, at: at(index) })));
  if (operation === null) throw new Error('No operation.');
  return settlementNotice(operation, ID);
}

const unknown = answered({ kind: 'unknown', why: 'no answer', resend: 'allowed', receipt: RECEIPT });
const person = { kind: 'resolved', generation: 1, by: 'ann', note: 'A fraud.', sawVersion: 3 } as const;

describe('what became of an operation, for the customer', () => {
  test('confirmed → it is done, with its number', () => {
    const confirmed = answered({ kind: 'confirmed', externalId: 're_1', receipt: RECEIPT });
    expect(noticeOf(registered(), marked(), confirmed)).toBe(
      `This is done: refund_line_item, operation ${ID}, number re_1.`,
    );
  });

  test('settled without a number or a reason, as no rule has it → what became of it is told all the same', () => {
    const events = [registered(), marked(), answered({ kind: 'confirmed', externalId: 're_1', receipt: RECEIPT })];
    const operation = fold(events.map((event, index) => ({ ...event, seq: index + 1, at: at(index) })));
    if (operation === null) throw new Error('No operation.');
    expect(settlementNotice({ ...operation, externalId: null }, ID)).toBe(
      `This is done: refund_line_item, operation ${ID}.`,
    );
    expect(settlementNotice({ ...operation, state: 'dropped', resolvedBy: null }, ID)).toBe(
      `This was not carried out, and nothing was sent: refund_line_item, operation ${ID}.`,
    );
  });

  test('rejected → it had no effect, with the provider’s reason', () => {
    const rejected = answered({
      kind: 'rejected',
      covers: 'all',
      code: 'charge_expired',
      message: 'Too old.',
      externalId: null,
      receipt: RECEIPT,
    });
    expect(noticeOf(registered(), marked(), rejected)).toBe(
      `This was refused and had no effect: refund_line_item, operation ${ID}. Reason: charge_expired: Too old.`,
    );
  });

  test('rejected by a person → their note is not for the customer', () => {
    const word = { ...person, verdict: { as: 'rejected', allowResend: false }, lookedAt: null } as const;
    expect(noticeOf(registered(), marked(), unknown, word)).toBe(
      `This was refused and had no effect: refund_line_item, operation ${ID}.`,
    );
  });

  test('dropped → nothing was sent', () => {
    expect(noticeOf(registered(), { kind: 'dropped', generation: 1, why: 'Nobody sent it.' })).toBe(
      `This was not carried out, and nothing was sent: refund_line_item, operation ${ID}. Reason: Nobody sent it.`,
    );
  });

  test('not settled → nothing is said', () => {
    expect(noticeOf(registered())).toBeNull();
    expect(noticeOf(registered(), marked())).toBeNull();
    expect(noticeOf(registered(), marked(), unknown)).toBeNull();
    const accepted = answered({ kind: 'accepted', externalId: 're_1', replayed: false, receipt: RECEIPT });
    expect(noticeOf(registered(), marked(), accepted)).toBeNull();
    expect(noticeOf(registered(), marked(), unknown, { kind: 'escalated', generation: 1, reason: 'odd' })).toBeNull();
  });
});
