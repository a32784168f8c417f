// Needs nothing.

import { closingEvents, fencingEvents } from '../../src/operations/closing';
import { asOfEarlier } from '../../src/operations/earlier-generation';
import type { OperationEvent } from '../../src/operations/event';
import { mayOpenNext, plannedGeneration } from '../../src/operations/plan';
import { RefusedError } from '../../src/operations/refused-error';
import {
  FINAL_CODES,
  isErrorCode,
  isUnfinished,
  REPLY_CODES,
  type ReplyCode,
  refusedRead,
  refusedReply,
  replyFor,
  replyWith,
  retryActionOf,
} from '../../src/operations/reply';
import {
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
  folded,
  found,
  marked,
  NONE,
  NONE_SEND_AGAIN,
  NOON,
  notSubmitted,
  OPERATION_ID,
  recorded,
  registered,
  rejected,
  SENT,
  said,
  unknown,
} from './fixtures';
import { VERBATIM_CODES } from './reply-codes';

const SUBJECT = { tool: 'refund_line_item', operationId: OPERATION_ID, callId: CALL_A.callId, activityAttempt: 1 };

function codeOf(
  events: readonly OperationEvent[],
  parts: { callId?: string; generation?: number; now?: number } = {},
): ReplyCode {
  const { now = NOON, ...rest } = parts;
  return replyFor(folded(...events), { ...SUBJECT, ...rest }, now).code;
}

describe('a reply', () => {
  test.each<[ReplyCode, readonly OperationEvent[]]>([
    ['done', [...SENT, answered(confirmed())]],
    ['in_progress', [...SENT]],
    ['in_progress', [...SENT, answered(accepted())]],
    ['outcome_unknown', [...SENT, answered(unknown())]],
    ['rejected', [...SENT, answered(rejected())]],
    ['escalated', [...SENT, answered(unknown()), escalated()]],
    ['not_submitted', [registered()]],
    ['not_submitted', [closed(), dropped()]],
  ])('is %s: %#', (code, events) => {
    expect(codeOf(events)).toBe(code);
  });

  test('is already_done for a call that did not send it', () => {
    expect(codeOf([...SENT, answered(confirmed())], { callId: CALL_B.callId })).toBe('already_done');
  });

  test('carries the number, the attempts and the ID', () => {
    const operation = folded(...SENT, answered(unknown()), marked(1, 2), answered(confirmed('re_7f3a'), 1, 2));
    expect(replyFor(operation, SUBJECT, NOON)).toEqual({
      text: 'Done: refund_line_item, operation refund-1043-li_2, number re_7f3a. It took effect once.',
      isError: false,
      code: 'done',
      retryAction: 'none',
      operationId: OPERATION_ID,
      externalId: 're_7f3a',
      attempts: 2,
    });
  });

  test.each(VERBATIM_CODES)('%s has the error flag %s and the action %s', (code, isError, retryAction) => {
    const reply = replyWith(code, folded(...SENT, answered(rejected())), SUBJECT);
    expect(reply).toMatchObject({ code, isError, retryAction });
    expect(isErrorCode(code)).toBe(isError);
    expect(retryActionOf(code)).toBe(retryAction);
    expect(reply.text).toContain(OPERATION_ID);
  });

  const named = 'refund_line_item, operation refund-1043-li_2, number re_1';
  test.each<[ReplyCode, string]>([
    ['done', `Done: ${named}. It took effect once.`],
    [
      'already_done',
      `Already done: ${named}. It took effect before this call, and nothing was sent again. Tell the customer that it is done.`,
    ],
    [
      'in_progress',
      `In progress: ${named}. It was sent and is not finished. Do not send it again; ask operation_status later. Tell the customer that it is being carried out and that they will hear.`,
    ],
    [
      'waiting',
      `Waiting: ${named}. It is recorded and not sent yet; it will be sent when what it waits for is there. Tell the customer that they will hear.`,
    ],
    [
      'approval_required',
      `Approval required: ${named}. It is recorded and not sent; a person must approve it first. Tell the customer that they will hear.`,
    ],
    [
      'outcome_unknown',
      `Outcome unknown: ${named}. It was sent and no clear answer came, so it may have taken effect. Do not send it again: the system is finding out. Tell the customer that their original request is being confirmed and that they will hear.`,
    ],
    [
      'escalated',
      `With a person: ${named}. A person is looking into it; nothing more is sent until they decide. Tell the customer that their original request is being looked into and that they will hear.`,
    ],
    ['rejected', `Rejected: ${named}. It certainly had no effect. Reason: charge_disputed: The charge is disputed.`],
    [
      'not_submitted',
      `Not submitted: ${named}. Nothing left for the provider, or it turned away what came; nothing was carried out. Reason: charge_disputed: The charge is disputed. The same request may be made again.`,
    ],
    [
      'conflict',
      `Conflict: ${named} exists with other content (refund_line_item, state rejected). This call sent nothing; that operation may have been sent. Use what it says, or ask for something else.`,
    ],
    ['invalid_input', `Invalid input: ${named}. Nothing was sent. Reason: charge_disputed: The charge is disputed.`],
  ])('%s is told in these words', (code, text) => {
    expect(replyWith(code, folded(...SENT, answered(rejected('all', 're_1'))), SUBJECT).text).toBe(text);
  });

  test('names no number and no reason where there is none', () => {
    expect(replyWith('rejected', folded(registered()), SUBJECT).text).toBe(
      'Rejected: refund_line_item, operation refund-1043-li_2. It certainly had no effect.',
    );
  });

  test('has a code for every case, and no other', () => {
    expect([...REPLY_CODES].sort()).toEqual(VERBATIM_CODES.map(([code]) => code).sort());
  });

  test('is a promise to hear more, or the end, or wants another call', () => {
    expect(REPLY_CODES.filter(isUnfinished)).toEqual([
      'in_progress',
      'waiting',
      'approval_required',
      'outcome_unknown',
      'escalated',
    ]);
    expect(FINAL_CODES).toEqual(['done', 'already_done', 'rejected', 'not_submitted']);
    const others = REPLY_CODES.filter((code) => !isUnfinished(code) && !FINAL_CODES.includes(code));
    expect(others).toEqual(['conflict', 'invalid_input']);
  });

  test('of what nobody knows never says that it failed, and forbids another send', () => {
    const { text } = replyWith('outcome_unknown', folded(...SENT, answered(unknown())), SUBJECT);
    expect(text).toMatch(/no clear answer came, so it may have taken effect. Do not send it again/);
    expect(text).not.toMatch(/fail|error|not sent/i);
  });

  test('to a refused call says that nothing was sent', () => {
    expect(refusedReply('There is no such order.')).toEqual({
      text: 'There is no such order. Nothing was sent.',
      isError: true,
      code: 'invalid_input',
      retryAction: 'new-input',
      operationId: null,
      externalId: null,
      attempts: 0,
    });
  });
});

describe('a refusal is told as a sentence', () => {
  test('and is known by its code and its name, also to another copy of this package', () => {
    expect(new RefusedError('No.')).toMatchObject({ code: 'SENDONCE_REFUSED', name: 'RefusedError', message: 'No.' });
  });

  test.each([
    ['no way', 'no way. Nothing was sent.'],
    ['Order 4.5 is gone', 'Order 4.5 is gone. Nothing was sent.'],
    ['Really? ', 'Really? Nothing was sent.'],
    ['There is no order "9"', 'There is no order "9". Nothing was sent.'],
    ['The shop says: "No."', 'The shop says: "No." Nothing was sent.'],
    ['', 'Nothing was sent.'],
  ])('%p', (message, text) => {
    expect(refusedReply(message).text).toBe(text);
  });

  test('of a tool that only reads it is not said that nothing was sent: that would be news of an operation', () => {
    expect(refusedRead('').text).toBe('This call only reads and changed nothing.');
    expect(refusedRead('There is no order "9"')).toEqual({
      ...refusedReply('There is no order "9"'),
      text: 'There is no order "9". This call only reads and changed nothing.',
    });
  });
});

describe('a call of an earlier generation', () => {
  const second = [...SENT, answered(rejected('all', 're_1')), registered(2, { call: CALL_B })] as const;

  test('hears of the rejection it was planned for, until a later generation is sent', () => {
    const reply = replyFor(folded(...second), { ...SUBJECT, generation: 1 }, NOON);
    expect(reply).toMatchObject({ code: 'rejected', externalId: 're_1', attempts: 1 });
    expect(reply.text).toContain('charge_disputed: The charge is disputed.');
    expect(codeOf([...second, dropped(2)], { generation: 1 })).toBe('rejected');
    expect(codeOf([...second, marked(2), answered(notSubmitted(), 2)], { generation: 1 })).toBe('rejected');
  });

  test('sees the operation as it was for its generation: rejected', () => {
    expect(asOfEarlier(folded(...second), 1)).toMatchObject({
      state: 'rejected',
      reason: 'charge_disputed: The charge is disputed.',
      externalId: 're_1',
      current: { number: 1 },
    });
    expect(asOfEarlier(folded(...second), 2)).toBeNull();
  });

  test('hears of what a person found, where that ended its generation', () => {
    const leave = [...SENT, answered(unknown()), said(NONE_SEND_AGAIN, 3), registered(2, { call: CALL_B })];
    const reply = replyFor(folded(...leave), { ...SUBJECT, generation: 1 }, NOON);
    expect(reply).toMatchObject({ code: 'rejected', externalId: null });
    expect(reply.text).toContain('A person found that it had no effect.');
  });

  test('hears the current truth once the later one is sent, or where there is an alarm', () => {
    expect(codeOf([...second, marked(2)], { generation: 1 })).toBe('in_progress');
    const done = [marked(2, 1, { call: CALL_B }), answered(confirmed('re_2'), 2, 1, CALL_B)];
    expect(codeOf([...second, ...done], { generation: 1 })).toBe('already_done');
    expect(codeOf([...second, evidence(found([effect('re_1')]))], { generation: 1 })).toBe('escalated');
  });

  test('of the current one, or of one that never was, hears the current truth', () => {
    expect(codeOf([...second], { generation: 2 })).toBe('not_submitted');
    expect(codeOf([...second], { generation: 3 })).toBe('not_submitted');
  });
});

describe('a call is planned', () => {
  test('for the first generation, for the current one, or for the next after a certain rejection', () => {
    expect(plannedGeneration(null)).toBe(1);
    expect(plannedGeneration(folded(...SENT, answered(unknown())))).toBe(1);
    expect(plannedGeneration(folded(...SENT, answered(confirmed())))).toBe(1);
    expect(plannedGeneration(folded(closed(), dropped()))).toBe(1);
    expect(plannedGeneration(folded(...SENT, answered(rejected())))).toBe(2);
  });

  test("after a person's rejected only with their leave", () => {
    const unknownOne = [...SENT, answered(unknown())];
    expect(mayOpenNext(folded(...unknownOne, said(NONE, 3)))).toBe(false);
    expect(mayOpenNext(folded(...unknownOne, said(NONE_SEND_AGAIN, 3)))).toBe(true);
    const second = [...unknownOne, said(NONE_SEND_AGAIN, 3), registered(2), marked(2), answered(rejected(), 2)];
    expect(plannedGeneration(folded(...second))).toBe(3);
    // Their word was about the first: that the provider rejected the second is nobody's word.
    const without = [...unknownOne, said(NONE, 3), registered(2), marked(2), answered(rejected(), 2)];
    expect(plannedGeneration(folded(...without))).toBe(3);
  });

  test('not for the next one while there is an alarm', () => {
    expect(plannedGeneration(folded(...SENT, answered(rejected()), evidence(found([effect('re_1')]))))).toBe(1);
  });
});

describe('closing a call', () => {
  const closing = { call: CALL_A, generation: 1, tool: 'refund_line_item', provider: 'stripe.refunds', why: 'gone' };
  const kinds = (events: readonly OperationEvent[]) => events.map(({ kind }) => kind);
  const ending = (events: readonly OperationEvent[], how = closing) =>
    closingEvents(folded(...events), how, recorded(...events));

  test('registers an operation that nobody registered as dropped', () => {
    expect(closingEvents(null, closing, [])).toEqual([
      { kind: 'closed', ...closing },
      { kind: 'dropped', generation: 1, why: 'gone' },
    ]);
    expect(kinds(fencingEvents(null, closing))).toEqual(['closed', 'dropped']);
  });

  test('drops what was recorded and never sent, and leaves what was sent', () => {
    expect(kinds(ending([registered()]))).toEqual(['closed', 'dropped']);
    expect(kinds(ending([...SENT]))).toEqual(['closed']);
  });

  test('does nothing where the call has its truth', () => {
    expect(ending([...SENT, answered(unknown())])).toEqual([]);
    expect(ending([...SENT, closed()])).toEqual([]);
    expect(kinds(ending([...SENT, answered(notSubmitted())]))).toEqual(['closed', 'dropped']);
  });

  test('is of the current generation, whatever the call was planned for', () => {
    const settled = [...SENT, answered(rejected())];
    expect(ending(settled, { ...closing, call: CALL_B, generation: 2 })).toMatchObject([{ generation: 1 }]);
  });

  test('for a refusal leaves what others recorded', () => {
    expect(kinds(fencingEvents(folded(registered()), { ...closing, call: CALL_B }))).toEqual(['closed']);
    expect(fencingEvents(folded(...SENT, closed(CALL_B)), { ...closing, call: CALL_B })).toEqual([]);
  });
});
