// Needs Postgres.
import type { ModelAnswer, ModelRequestIds, PlannedCall } from '../../src/conversations/plan';
import { customerOf, openSession } from '../../src/conversations/sessions';
import { readStep, savePlan, saveResult, saveStep } from '../../src/conversations/steps';
import { readTranscript } from '../../src/conversations/transcript';
import { addMessage, endTurn, readTurn } from '../../src/conversations/turns';
import { type Reply, refusedReply } from '../../src/operations/reply';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let test_: TestDatabase;
let sessionId: string;
let sessions = 0;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());
beforeEach(async () => {
  sessionId = `chat-${++sessions}`;
  await openSession(test_.database, { tenant: 'shop', sessionId, customer: 'customer-77' });
});

const say = (text: string, requestKey: string) =>
  addMessage(test_.database, { tenant: 'shop', sessionId, requestKey, text });
const open = (change: object) =>
  openSession(test_.database, { tenant: 'shop', sessionId, customer: 'customer-77', ...change });

describe('a session', () => {
  test('is opened once and found open; its customer stays', async () => {
    await open({});
    expect(await customerOf(test_.database, { tenant: 'shop', sessionId })).toBe('customer-77');
  });

  test('of another customer is refused, and that customer is not told', async () => {
    const error = await open({ customer: 'customer-88' }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'SENDONCE_SESSION_TAKEN', sessionId });
    expect(String(error)).not.toContain('customer-77');
    expect(await customerOf(test_.database, { tenant: 'shop', sessionId })).toBe('customer-77');
  });

  test('of 20 customers who open one ID at once one gets it', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => open({ sessionId: `${sessionId}-new`, customer: `customer-${index}` })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('of one tenant is none of another’s', async () => {
    await open({ tenant: 'other', customer: 'customer-88' });
    expect(await customerOf(test_.database, { tenant: 'other', sessionId })).toBe('customer-88');
    await expect(customerOf(test_.database, { tenant: 'third', sessionId })).rejects.toThrow('was never opened');
  });

  const longest = 'x'.repeat(128);
  test.each([
    ['tenant', { tenant: 'a~b' }],
    ['tenant', { tenant: 'a/b' }],
    ['tenant', { tenant: '' }],
    ['session ID', { sessionId: 'a b' }],
    ['session ID', { sessionId: 'a\nb' }],
    ['session ID', { sessionId: 'chat\n' }],
    ['session ID', { sessionId: 'größe' }],
    ['session ID', { sessionId: 'a\0b' }],
    ['session ID', { sessionId: `${longest}x` }],
    ['session ID', { sessionId: 'x'.repeat(1_000_000) }],
    ['customer', { customer: undefined }],
    ['customer', { customer: 77 }],
    ['customer', { customer: 77n }],
    ['customer', { customer: ['customer-77'] }],
  ])('with a %s that cannot be used (%p) is refused before anything is stored', async (subject, change) => {
    await expect(open({ sessionId: 'unused', ...change })).rejects.toMatchObject({
      ...{ code: 'SENDONCE_NAME_INVALID', subject },
      message: expect.stringMatching(new RegExp(`^The ${subject} .* must be 1 to 128 printable ASCII characters`)),
    });
    const error = await open({ sessionId: 'unused', ...change }).catch((caught: unknown) => caught);
    expect(String(error).length).toBeLessThan(400);
    const { rows } = await test_.database.pool.query(`select from sendonce.sessions where session_id = 'unused'`);
    expect(rows).toHaveLength(0);
  });

  test('with the longest names that can be used is opened', async () => {
    await open({ tenant: longest, sessionId: longest, customer: longest });
  });
});

describe('a message', () => {
  test('is the session’s next turn', async () => {
    expect(await say('One.', 'a')).toEqual({ tenant: 'shop', sessionId, turn: 1 });
    expect(await say('Two.', 'b')).toEqual({ tenant: 'shop', sessionId, turn: 2 });
    expect(await readTurn(test_.database, { tenant: 'shop', sessionId, turn: 2 })).toEqual({
      kind: 'message',
      ...{ message: 'Two.', outcome: null, reply: null },
    });
  });

  test('with a request key that was used for the same text is that turn', async () => {
    await say('One.', 'a');
    await say('Two.', 'b');
    expect(await say('One.', 'a')).toMatchObject({ turn: 1 });
  });

  test('with a request key that was used for another text is refused; the first text stays', async () => {
    await say('One.', 'a');
    await expect(say('Another one.', 'a')).rejects.toMatchObject({
      ...{ code: 'SENDONCE_REQUEST_KEY_CONFLICT', requestKey: 'a' },
    });
    expect(await readTurn(test_.database, { tenant: 'shop', sessionId, turn: 1 })).toMatchObject({ message: 'One.' });
  });

  test('request keys are those of one session', async () => {
    await say('One.', 'a');
    const other = { tenant: 'shop', sessionId: `${sessionId}-other` };
    expect(await addMessage(test_.database, { ...other, requestKey: 'a', text: 'Another one.' })).toMatchObject({
      turn: 1,
    });
  });

  test('20 at once with different request keys: one turn each, numbers without gaps or duplicates', async () => {
    const turns = await Promise.all(Array.from({ length: 20 }, (_, index) => say(`${index}`, `key-${index}`)));
    expect(turns.map(({ turn }) => turn).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    for (const [index, turn] of turns.entries()) {
      expect(await readTurn(test_.database, turn)).toMatchObject({ message: `${index}` });
    }
  });

  test('20 at once with one request key and text: one turn', async () => {
    const turns = await Promise.all(Array.from({ length: 20 }, () => say('One.', 'a')));
    expect(new Set(turns.map(({ turn }) => turn))).toEqual(new Set([1]));
    expect(await readTranscript(test_.database, { tenant: 'shop', sessionId, turn: 99 })).toHaveLength(1);
  });

  test('20 at once with one request key and different texts: one is stored, 19 are refused', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => say(`${index}`, 'a')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readTranscript(test_.database, { tenant: 'shop', sessionId, turn: 99 })).toHaveLength(1);
  });

  test.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\uD800b'],
    ['quotes and backslashes', `"'\\u0000\\`],
    ['100,000 characters', 'x'.repeat(100_000)],
    ['100,000 of four bytes', '🙂'.repeat(50_000)],
  ])('with %s is kept to the letter, and found again by its request key', async (_what, text) => {
    const turn = await say(text, 'a');
    expect(await say(text, 'a')).toEqual(turn);
    expect((await readTurn(test_.database, turn)).message).toBe(text);
    expect((await readTranscript(test_.database, turn))[0]?.message).toBe(text);
  });

  test.each([
    ['empty', '', 0],
    ['no text at all', undefined as never, 0],
    ['a number', 7 as never, 0],
    ['of 100,001 characters', 'x'.repeat(100_001), 100_001],
    ['of blanks alone', ' \n\t', 3],
  ])('that is %s is refused with its length, and nothing is stored', async (_what, text, length) => {
    const error = await say(text, 'a').catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'SENDONCE_MESSAGE_INVALID', length });
    expect(String(error).length).toBeLessThan(200);
    expect(await readTranscript(test_.database, { tenant: 'shop', sessionId, turn: 99 })).toEqual([]);
  });

  test.each(['', 'a b', 'a/b', 'x'.repeat(129)])('with the request key %p is refused', async (requestKey) => {
    await expect(say('One.', requestKey)).rejects.toMatchObject({
      ...{ code: 'SENDONCE_NAME_INVALID', subject: 'request key' },
    });
  });
});

describe('the end of a turn', () => {
  test('counts once: the first outcome and reply stay', async () => {
    const turn = await say('One.', 'a');
    await endTurn(test_.database, turn, { outcome: 'answered', reply: 'a\0b\uD800' });
    expect(await endTurn(test_.database, turn, { outcome: 'failed', reply: 'Sorry.' })).toEqual({
      ...{ kind: 'message', message: 'One.', outcome: 'answered', reply: 'a\0b\uD800' },
    });
  });

  test('of 10 at once one counts, and all of them read it', async () => {
    const turn = await say('One.', 'a');
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, index) => endTurn(test_.database, turn, { outcome: 'failed', reply: `${index}` })),
    );
    expect(new Set(ends.map(({ reply }) => reply)).size).toBe(1);
  });

  test('of a turn that was never stored is a bug', async () => {
    const nowhere = { tenant: 'shop', sessionId, turn: 9 };
    await expect(endTurn(test_.database, nowhere, { outcome: 'failed', reply: '' })).rejects.toThrow(/^Bug: /);
  });
});

const IDS: ModelRequestIds = { clientRequestId: 'client-1', requestId: 'req_1' };

describe('the steps of a turn: the first write wins', () => {
  const step = () => ({ tenant: 'shop', sessionId, turn: 1, step: 1 });
  const answer = (text: string): ModelAnswer => ({ text, messages: [], calls: [] });
  const plan = (tool: string): PlannedCall[] => [{ kind: 'read', position: 0, tool }];

  test('an answer is stored once, and comes back to whoever stores a second one', async () => {
    await say('One.', 'a');
    expect(await readStep(test_.database, step())).toEqual({ step: null, turnOutcome: null, customer: 'customer-77' });
    expect(await saveStep(test_.database, step(), { answer: answer('One.'), plan: null, requestIds: IDS })).toEqual({
      answer: answer('One.'),
      plan: null,
    });
    expect(await saveStep(test_.database, step(), { answer: answer('Two.'), plan: null, requestIds: IDS })).toEqual({
      answer: answer('One.'),
      plan: null,
    });
  });

  test('with the answer stay the IDs of the request that brought it, and not those of a later one', async () => {
    await say('One.', 'a');
    await saveStep(test_.database, step(), { answer: answer('One.'), plan: null, requestIds: IDS });
    await saveStep(test_.database, step(), {
      answer: answer('One.'),
      plan: null,
      requestIds: { clientRequestId: 'client-2', requestId: null },
    });
    const [turn] = await readTranscript(test_.database, step());
    expect(turn?.steps).toMatchObject([{ requestIds: IDS }]);
  });

  test('an answer whose endpoint gave no ID, and one of an earlier release, are read as such', async () => {
    await say('One.', 'a');
    await saveStep(test_.database, step(), {
      answer: answer('One.'),
      plan: null,
      requestIds: { ...IDS, requestId: null },
    });
    await saveStep(test_.database, { ...step(), step: 2 }, { answer: answer('Two.'), plan: null, requestIds: IDS });
    await test_.database.pool.query(
      'update sendonce.steps set client_request_id = null, model_request_id = null where session_id = $1 and step = 2',
      [sessionId],
    );
    const [turn] = await readTranscript(test_.database, step());
    expect(turn?.steps).toMatchObject([{ requestIds: { ...IDS, requestId: null } }, { requestIds: null }]);
  });

  test('of 10 answers at once one counts for all', async () => {
    const steps = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        saveStep(test_.database, step(), { answer: answer(`${index}`), plan: null, requestIds: IDS }),
      ),
    );
    expect(new Set(steps.map((each) => each.answer.text)).size).toBe(1);
  });

  test('a plan is stored once, an empty one too', async () => {
    await saveStep(test_.database, step(), { answer: answer('One.'), plan: null, requestIds: IDS });
    expect(await savePlan(test_.database, step(), [])).toEqual([]);
    expect(await savePlan(test_.database, step(), plan('find_order'))).toEqual([]);
    await say('One.', 'a');
    expect((await readStep(test_.database, step())).step?.plan).toEqual([]);
  });

  test('a plan is stored with its answer; one that comes with a later answer is not', async () => {
    const save = (text: string, planned: PlannedCall[]) =>
      saveStep(test_.database, step(), { answer: answer(text), plan: planned, requestIds: IDS });
    const first = { answer: answer('One.'), plan: plan('find_order') };
    expect(await save('One.', plan('find_order'))).toEqual(first);
    expect(await save('Two.', [])).toEqual(first);
  });

  test('the plan of a later answer never joins an answer that has none', async () => {
    const save = (text: string, planned: PlannedCall[] | null) =>
      saveStep(test_.database, step(), { answer: answer(text), plan: planned, requestIds: IDS });
    await save('One.', null);
    expect(await save('Two.', plan('find_order'))).toEqual({ answer: answer('One.'), plan: null });
  });

  test('a step is read with its turn and its customer; one of a turn that was never stored is a bug', async () => {
    const turn = await say('One.', 'a');
    await endTurn(test_.database, turn, { outcome: 'failed', reply: 'Sorry.' });
    expect(await readStep(test_.database, step())).toMatchObject({ turnOutcome: 'failed', customer: 'customer-77' });
    await expect(readStep(test_.database, { ...step(), turn: 2 })).rejects.toThrow(/^Bug: turn 2 /);
  });

  test('of 10 plans at once one counts for all', async () => {
    await saveStep(test_.database, step(), { answer: answer('One.'), plan: null, requestIds: IDS });
    const plans = await Promise.all(
      Array.from({ length: 10 }, (_, index) => savePlan(test_.database, step(), plan(`tool_${index}`))),
    );
    expect(new Set(plans.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  test('a plan for an answer that was never stored is a bug', async () => {
    await expect(savePlan(test_.database, step(), [])).rejects.toThrow(/^Bug: /);
  });

  test('of 10 results of one call at once one counts for all', async () => {
    const place = { ...step(), position: 0 };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => saveResult(test_.database, place, refusedReply(`${index}`))),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  test('a result with NUL, lone surrogates and a megabyte is kept to the letter', async () => {
    await say('One.', 'a');
    const odd = { ...answer('a\0\uD800'), messages: [{ role: 'assistant', content: '\0' }] };
    await saveStep(test_.database, step(), { answer: odd, plan: null, requestIds: IDS });
    const reply: Reply = refusedReply(`a\0b\uDFFF${'x'.repeat(1_000_000)}`);
    expect(await saveResult(test_.database, { ...step(), position: 0 }, reply)).toEqual(reply);
    const [turn] = await readTranscript(test_.database, step());
    expect(turn?.steps[0]?.results[0]?.reply).toEqual(reply);
    expect(turn?.steps[0]?.answer.text).toBe('a\0\uD800');
  });
});

describe('the transcript', () => {
  test('is the turns up to one, their steps and results in order, with the ledger’s times', async () => {
    for (const key of ['a', 'b', 'c']) await say(key, key);
    for (const number of [2, 1]) {
      const step = { tenant: 'shop', sessionId, turn: 2, step: number };
      await saveStep(test_.database, step, {
        answer: { text: `${number}`, messages: [], calls: [] },
        plan: null,
        requestIds: IDS,
      });
      for (const position of [1, 0])
        await saveResult(test_.database, { ...step, position }, refusedReply(`${position}`));
    }
    const turns = await readTranscript(test_.database, { tenant: 'shop', sessionId, turn: 2 });
    expect(turns.map(({ turn, message }) => [turn, message])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    expect(turns[1]?.steps.map(({ step, results }) => [step, results.map(({ position }) => position)])).toEqual([
      [1, [0, 1]],
      [2, [0, 1]],
    ]);
    expect(turns[0]).toMatchObject({ steps: [], outcome: null, endedAt: null });
    const at = turns[0]?.at ?? 0;
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
    expect(Number.isInteger(at)).toBe(true);
  });

  test('holds nothing of other sessions and tenants', async () => {
    await open({ tenant: 'other' });
    await addMessage(test_.database, { tenant: 'other', sessionId, requestKey: 'a', text: 'Secret.' });
    await say('One.', 'a');
    expect(await readTranscript(test_.database, { tenant: 'shop', sessionId, turn: 9 })).toHaveLength(1);
  });
});
