// Needs Postgres.
import { APICallError } from '@ai-sdk/provider';
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import type { PlannedCall } from '../../src/conversations/plan';
import { readTurn } from '../../src/conversations/turns';
import { ActivityRig, quietEnvironment, refund, toolCall } from '../support/activity-rig';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let test_: TestDatabase;
let rig: ActivityRig;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());
beforeEach(async () => {
  rig = new ActivityRig(test_);
  await rig.forget();
});

const text = (words: string) => ({ type: 'text', text: words }) as const;
const modelFailure = (statusCode: number, isRetryable: boolean) =>
  new APICallError({
    message: `HTTP ${statusCode}`,
    url: 'http://model',
    requestBodyValues: {},
    statusCode,
    isRetryable,
  });

describe('an answer', () => {
  test('without calls ends the turn with its text', async () => {
    const step = { ...(await rig.message()), step: 1 };
    rig.answers.push([text('You are '), text('welcome.')]);
    await expect(rig.callModel(step)).resolves.toEqual({ calls: [], ended: true });
    expect(await readTurn(test_.database, step)).toMatchObject({ outcome: 'answered', reply: 'You are welcome.' });
  });

  test('with calls leaves the turn open and schedules them, in order, with what Temporal needs', async () => {
    const step = { ...(await rig.message()), step: 1 };
    rig.answers.push([
      toolCall('find_order', { orderId: '1043' }),
      text('Let me see.'),
      refund({ lineItemId: 'li_2' }),
    ]);
    const { calls, ended } = await rig.callModel(step);
    expect(ended).toBe(false);
    expect(calls.map(({ position, tool, operationId }) => [position, tool, operationId])).toEqual([
      [0, 'find_order', null],
      [1, 'refund_line_item', 'refund-1043-li_2'],
    ]);
    expect((await readTurn(test_.database, step)).outcome).toBeNull();
  });

  test('whose calls are all refused schedules nothing and does not end the turn', async () => {
    const step = { ...(await rig.message()), step: 1 };
    rig.answers.push([toolCall('no_such_tool', {})]);
    await expect(rig.callModel(step)).resolves.toEqual({ calls: [], ended: false });
  });

  test('of a turn that was ended meanwhile changes nothing of what the customer was told', async () => {
    const step = { ...(await rig.message()), step: 1 };
    await rig.run('sendonce.endTurn', { ...step, outcome: 'cancelled' });
    rig.answers.push([text('Too late.')]);
    await rig.callModel(step);
    expect(await readTurn(test_.database, step)).toMatchObject({ outcome: 'cancelled' });
  });
});

describe('a repeated step', () => {
  test('asks the model once, and gives the same calls', async () => {
    const step = { ...(await rig.message()), step: 1 };
    rig.answers.push([refund({ lineItemId: 'li_2' })], [refund({ lineItemId: 'li_1' })]);
    const first = await rig.callModel(step);
    expect(await rig.callModel(step, { attempt: 2 })).toEqual(first);
    expect(rig.asked).toHaveLength(1);
  });

  test('keeps its plan, whatever became of the operation since', async () => {
    rig.provider.treat('li_2', 'refuse');
    const step = await rig.planned([refund({ lineItemId: 'li_2' })]);
    await rig.callTool({ ...step, position: 0 });
    await rig.callModel(step, { attempt: 2 });
    expect(await rig.plan(step)).toMatchObject([{ operationId: 'refund-1043-li_2', generation: 1 }]);
  });

  test('plans nothing a second time: `resolve` is not even called', async () => {
    const step = await rig.planned([refund({ lineItemId: 'li_2' })]);
    rig.shop.onResolve = () => {
      throw new Error('The shop is down.');
    };
    await expect(rig.callModel(step, { attempt: 2 })).resolves.toMatchObject({ calls: [{ position: 0 }] });
  });

  test('that failed between answer and plan plans the stored answer and does not ask the model again', async () => {
    const step = { ...(await rig.message()), step: 1 };
    rig.answers.push([refund({ lineItemId: 'li_2' })], [text('Something else.')]);
    rig.shop.onResolve = () => {
      throw new Error('The shop is down.');
    };
    await expect(rig.callModel(step)).rejects.toThrow('The shop is down.');
    expect(await rig.plan(step)).toEqual([]);
    rig.shop.onResolve = () => undefined;
    await expect(rig.callModel(step, { attempt: 2 })).resolves.toMatchObject({
      calls: [{ operationId: 'refund-1043-li_2' }],
    });
    expect(rig.asked).toHaveLength(1);
  });

  test('of two executions at once one answer and one plan count, for both', async () => {
    const step = { ...(await rig.message()), step: 1 };
    rig.answers.push(
      [refund({ lineItemId: 'li_1' })],
      [refund({ lineItemId: 'li_2' }), refund({ lineItemId: 'li_3' })],
    );
    const [one, other] = await Promise.all([rig.callModel(step), rig.callModel(step, { attempt: 2 })]);
    expect(one).toEqual(other);
    expect((await rig.plan(step)).map(({ position }) => position)).toEqual(one.calls.map(({ position }) => position));
  });
});

describe('planning', () => {
  const planOf = async (...calls: ReturnType<typeof toolCall>[]) => rig.plan(await rig.planned(calls));

  test('a call for something new is for generation 1', async () => {
    expect(await planOf(refund({ lineItemId: 'li_2', quantity: 2 }))).toEqual([
      {
        ...{ kind: 'operation', position: 0, tool: 'refund_line_item', operationId: 'refund-1043-li_2' },
        ...{ provider: 'testing.payouts', generation: 1, intent: '{"quantity":2}' },
      },
    ]);
  });

  test('a call after a certain rejection is for the next generation', async () => {
    rig.provider.treat('li_2', 'refuse');
    await rig.told(refund({ lineItemId: 'li_2' }));
    expect(await planOf(refund({ lineItemId: 'li_2' }))).toMatchObject([{ generation: 2 }]);
  });

  test('a call while the outcome is unknown is for the same generation', async () => {
    rig.provider.treat('li_2', 'lose-answer');
    await rig.told(refund({ lineItemId: 'li_2' }));
    expect(await planOf(refund({ lineItemId: 'li_2' }))).toMatchObject([{ generation: 1 }]);
  });

  test('the operation is the order’s, however the model writes its number', async () => {
    const plan = await planOf(refund({ lineItemId: 'li_2' }), refund({ orderId: '#1043', lineItemId: 'li_2' }));
    expect(plan.map((call) => call.kind === 'operation' && call.operationId)).toEqual([
      'refund-1043-li_2',
      'refund-1043-li_2',
    ]);
  });

  test('planning registers nothing and sends nothing', async () => {
    await planOf(refund({ lineItemId: 'li_2' }));
    expect(await rig.events('refund-1043-li_2')).toEqual([]);
    expect(rig.provider.sends).toEqual([]);
  });
});

test('of 40 calls in one answer 32 are carried out, and the others are told why not', async () => {
  const calls = Array.from({ length: 40 }, () => toolCall('find_order', { orderId: '1043' }));
  const step = await rig.planned(calls);
  const plan = await rig.plan(step);
  expect(plan?.filter(({ kind }) => kind === 'read')).toHaveLength(32);
  expect(plan?.slice(32).every(({ kind }) => kind === 'refused')).toBe(true);
});

describe('a call that cannot be made is refused when it is planned: nothing registered, nothing scheduled', () => {
  const refusals: readonly [string, Parameters<typeof toolCall>, RegExp][] = [
    ['an unknown tool', ['no_such_tool', {}], /no tool "no_such_tool".*find_order, refund_line_item, operation_status/],
    ['a tool named like a property of every object', ['constructor', {}], /There is no tool "constructor"/],
    ['a tool that is ours', ['sendonce.closeCall', {}], /There is no tool "sendonce_closeCall"/],
    ['malformed JSON', ['refund_line_item', '{"orderId": "1043", '], /arguments of refund_line_item could not be read/],
    ['JSON that reaches for prototypes', ['refund_line_item', '{"__proto__": {"a": 1}}'], /could not be read/],
    ['arguments that are a list', ['refund_line_item', '[1]'], /not valid.*expected object/s],
    ['arguments that are null', ['refund_line_item', 'null'], /not valid.*expected object/s],
    ['no arguments at all', ['refund_line_item', ''], /not valid.*orderId.*lineItemId/s],
    ['a wrong type', ['refund_line_item', { orderId: 1043, lineItemId: 'li_2' }], /expected string.*at orderId/s],
    ['a quantity of zero', ['refund_line_item', { orderId: '1043', lineItemId: 'li_2', quantity: 0 }], /at quantity/],
    ['half a piece', ['refund_line_item', { orderId: '1043', lineItemId: 'li_2', quantity: 0.5 }], /at quantity/],
    ['an order that is not there', ['refund_line_item', { orderId: '9', lineItemId: 'li_2' }], /has no order "9"/],
    ['a line that is not there', ['refund_line_item', { orderId: '1043', lineItemId: 'x' }], /has no line "x"/],
  ];

  test.each(refusals)('%s → invalid_input, which says what is wrong', async (_what, call, message) => {
    const step = await rig.planned([toolCall(...call)]);
    const [reply] = await rig.replies(step);
    expect(reply).toMatchObject({
      ...{ code: 'invalid_input', isError: true, retryAction: 'new-input', operationId: null, externalId: null },
      text: expect.stringMatching(message),
    });
    expect(reply?.text).toMatch(/ Nothing was sent\.$/);
    expect(await rig.plan(step)).toMatchObject([{ kind: 'refused', position: 0 }]);
    const { rows } = await test_.database.pool.query('select from sendonce.operations');
    expect(rows).toHaveLength(0);
  });

  test('arguments of a megabyte that cannot be read do not come back as a megabyte', async () => {
    const step = await rig.planned([toolCall('refund_line_item', `{"orderId": "${'x'.repeat(1_000_000)}`)]);
    const [reply] = await rig.replies(step);
    expect(reply?.text.length).toBeLessThan(3_000);
  });

  test('and the calls beside it go their way', async () => {
    const step = await rig.planned([toolCall('no_such_tool', {}), refund({ lineItemId: 'li_2' })]);
    const kinds = (plan: readonly PlannedCall[]) => plan.map(({ kind }) => kind);
    expect(kinds(await rig.plan(step))).toEqual(['refused', 'operation']);
    await expect(rig.callTool({ ...step, position: 1 })).resolves.toMatchObject({ code: 'done' });
  });

  test('an argument the tool does not know does not reach it: the caller is who opened the session', async () => {
    const callers: unknown[] = [];
    rig.shop.onResolve = (caller) => {
      callers.push(caller);
    };
    const call = refund({ orderId: '2000', lineItemId: 'li_9', customer: 'customer-88', tenant: 'x', callId: 'y' });
    const reply = await rig.told(call);
    expect(reply.text).toBe('This customer has no order "2000". Nothing was sent.');
    expect(callers).toMatchObject([{ tenant: 'shop', customer: 'customer-77' }]);
  });
});

describe('when the model gives no answer', () => {
  test.each([
    ['an error that may pass', modelFailure(529, true), false],
    ['an error that would come again', modelFailure(400, false), true],
    ['an error of the network', new Error('socket hang up'), false],
  ])('%s: asked once, nothing stored, and Temporal knows whether to ask again', async (_what, error, nonRetryable) => {
    const step = { ...(await rig.message()), step: 1 };
    rig.answers.push(error);
    const failure = await rig.callModel(step).catch((caught: unknown) => caught);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      ...{ type: 'SENDONCE_MODEL_CALL', nonRetryable },
      message: expect.stringContaining(`: ${error.message} (X-Client-Request-Id `),
    });
    expect(rig.asked).toHaveLength(1);
    await expect(rig.callModel(step, { attempt: 2 })).resolves.toEqual({ calls: [], ended: true });
  });

  test('cancelled while it is asked → its request is aborted, and the activity ends as cancelled', async () => {
    const environment = quietEnvironment();
    const step = { ...(await rig.message()), step: 1 };
    const asking = rig.callModel(step, { environment });
    rig.answers.push(new Error('aborted'));
    environment.cancel('CANCELLED');
    await expect(asking).rejects.toBeInstanceOf(CancelledFailure);
    for (const { abortSignal } of rig.asked) expect(abortSignal?.aborted).toBe(true);
    expect(await rig.plan(step)).toEqual([]);
  });
});
