// Needs nothing.
import type { Reply } from '../../src/operations/reply';
import {
  answered,
  confirmed,
  escalated,
  marked,
  recorded,
  registered,
  rejected,
  unknown,
} from '../operations/fixtures';
import { type Effect, judge, type Run } from './judge';

const ID = 'refund-pi_1';

const effect = (id: string, change: Partial<Effect> = {}): Effect => ({
  ...{ id, account: '', amount: 100, currency: 'twd', paymentIntent: 'pi_1', status: 'succeeded' },
  ...{ metadata: {}, key: ID, byHand: false, at: 0 },
  ...change,
});

const reply = (code: Reply['code'], externalId: string | null = null): Reply => ({
  ...{ text: 'Words.', isError: false, code, retryAction: 'none', operationId: ID, externalId, attempts: 1 },
});

const message = (told: Reply | null): Run['turns'][number] => ({
  ...{ turn: 1, at: 0, kind: 'message', message: 'pi_1', outcome: 'answered', reply: 'Words.', endedAt: 1 },
  steps: [
    {
      ...{ step: 1, at: 0, answer: { text: '', messages: [], calls: [] }, requestIds: null, plan: null },
      results: told === null ? [] : [{ position: 0, at: 0, reply: told }],
    },
  ],
});

const followUp = (turn: number, text: string): Run['turns'][number] => ({
  ...message(null),
  ...{ turn, kind: 'follow_up', message: text, steps: [] },
});

const CONFIRMED = recorded(registered(), marked(), answered(confirmed('re_1')));
const REJECTED = recorded(registered(), marked(), answered(rejected()));
const UNKNOWN = recorded(registered(), marked(), answered(unknown()));
const ESCALATED = recorded(registered(), marked(), answered(unknown()), escalated());
const END = `This is done: refund, operation ${ID}, number re_1.`;

/** All is right: told unknown, then how it ended. */
const RIGHT: Run = {
  operationId: ID,
  effects: [effect('re_1')],
  sends: [],
  events: CONFIRMED,
  turns: [message(reply('outcome_unknown')), followUp(2, END)],
  delivered: new Set(['turn/shop/chat-1/2']),
  workflows: new Map([
    ['session/shop/chat-1', 'COMPLETED'],
    ['turn/shop/chat-1/1', 'COMPLETED'],
    ['turn/shop/chat-1/2', 'COMPLETED'],
  ]),
  untold: 0,
  escalated: false,
};

const judged = (change: Partial<Run>) => {
  const { wrong, open } = judge({ ...RIGHT, ...change });
  return { wrong, open };
};
const alone = (told: Reply): Partial<Run> => ({
  turns: [message(told)],
  workflows: new Map([['turn/shop/chat-1/1', 'COMPLETED']]),
});

describe('a run is right', () => {
  test('told unknown, then once how it ended', () => {
    expect(judged({})).toEqual({ wrong: [], open: [] });
  });

  test('told at once that it is done', () => {
    expect(judged(alone(reply('done', 're_1')))).toEqual({ wrong: [], open: [] });
  });

  test('without an effect, and it says so', () => {
    expect(judged({ ...alone(reply('rejected')), effects: [], events: REJECTED })).toEqual({ wrong: [], open: [] });
  });

  test('before a person who was called', () => {
    const told = { ...alone(reply('outcome_unknown')), events: ESCALATED, escalated: true };
    expect(judged(told)).toEqual({ wrong: [], open: [] });
  });
});

describe('a run is wrong', () => {
  test.each<[string, Partial<Run>, RegExp]>([
    ['two effects', { effects: [effect('re_1'), effect('re_2', { key: 'other' })] }, /^2 effects: re_1, re_2$/],
    ['another amount', { effects: [effect('re_1', { amount: 200 })] }, /^re_1 is 200 twd$/],
    ['confirmed without an effect', { effects: [] }, /^confirmed, and the provider has nothing$/],
    ['confirmed as something else', { effects: [effect('re_9')] }, /^confirmed as re_1, and the provider has re_9$/],
    ['rejected with an effect', { events: REJECTED }, /^rejected, and the provider has re_1$/],
    ['told a failure of what took effect', alone(reply('not_submitted')), /^the model was told not_submitted/],
    [
      'told another number',
      alone(reply('done', 're_9')),
      /^the model was told done as re_9, and the provider has re_1$/,
    ],
    [
      'told it is done, and it is not',
      { ...alone(reply('done', 're_1')), effects: [] },
      /^the model was told done as re_1/,
    ],
    ['the end told twice', { turns: [...RIGHT.turns, followUp(3, END)] }, /^the session heard the end 2 times$/],
    ['the end told after a final reply', { turns: [message(reply('done', 're_1')), followUp(2, END)] }, /2 times$/],
    [
      'the end told wrongly',
      { turns: [message(reply('outcome_unknown')), followUp(2, 'This was refused and had no effect: refund.')] },
      /^the session was told "This was refused/,
    ],
    [
      'a turn that failed',
      { turns: [{ ...message(reply('done', 're_1')), outcome: 'failed' }] },
      /^turn 1 ended failed$/,
    ],
    ['a workflow that failed', { workflows: new Map([['turn/shop/chat-1/1', 'FAILED']]) }, /^turn\/.* is FAILED$/],
  ])('%s', (_, change, expected) => {
    expect(judged(change).wrong).toContainEqual(expect.stringMatching(expected));
  });
});

describe('a run is left open', () => {
  test.each<[string, Partial<Run>, RegExp]>([
    ['nobody knows', { events: UNKNOWN }, /^the operation is unknown$/],
    ['not even registered', { events: [] }, /^the operation is not in the ledger$/],
    ['told unknown and nothing later', alone(reply('outcome_unknown')), /never heard the end$/],
    ['told nothing', { turns: [message(null)] }, /^the model was told nothing$/],
    ['a message that waits', { untold: 1 }, /^1 messages wait to be told$/],
    ['a turn that runs', { turns: [{ ...message(reply('done', 're_1')), outcome: null }] }, /^turn 1 has not ended$/],
    ['a workflow that runs', { workflows: new Map([['turn/shop/chat-1/1', 'RUNNING']]) }, /is RUNNING$/],
    ['a follow-up that nobody was handed', { delivered: new Set() }, /was not handed to the hook$/],
    ['a person who was not called', { events: ESCALATED }, /^escalated, and nobody was called$/],
  ])('%s', (_, change, expected) => {
    expect(judged(change).open).toContainEqual(expect.stringMatching(expected));
  });
});
