// Needs Postgres.
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { z } from 'zod';
import type { CallPlace } from '../../src/conversations/refs';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import { id } from '../../src/operations/operation-id';
import { RefusedError } from '../../src/operations/refused-error';
import { defineOperation } from '../../src/tools/define-operation';
import { defineTool } from '../../src/tools/define-tool';
import { ActivityRig, quietEnvironment, refund, TENANT, toolCall } from '../support/activity-rig';
import { CountingProvider } from '../support/counting-provider';
import { WatchedLedger } from '../support/perform-rig';
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
afterEach(() => jest.restoreAllMocks());

const REFUND_ID = 'refund-1043-li_2';
const line2 = (input: object = {}) => refund({ lineItemId: 'li_2', ...input });
const effects = () => rig.provider.effects.map(({ to, amount, key }) => [to, amount, key]);

describe('what a call costs the ledger', () => {
  const statements = () => {
    const query = jest.spyOn(test_.database.pool, 'query');
    return () =>
      query.mock.calls
        .map(([statement]) => (statement as { name?: string }).name ?? '')
        .filter((name) => name.startsWith('sendonce-'));
  };

  test('a new operation: one read and two commits', async () => {
    const step = await rig.planned([line2()]);
    const names = statements();
    await rig.callTool({ ...step, position: 0 });
    expect(names()).toEqual(['sendonce-load', 'sendonce-insert', 'sendonce-append-tell']);
  });

  test('a repeated call to a settled one: one read', async () => {
    await rig.told(line2());
    const step = await rig.planned([line2()]);
    const names = statements();
    await expect(rig.callTool({ ...step, position: 0 })).resolves.toMatchObject({ code: 'already_done' });
    expect(names()).toEqual(['sendonce-load']);
  });
});

describe('the result of a call', () => {
  test('is stored for the model; the history gets its code and numbers', async () => {
    const step = await rig.planned([line2()]);
    const result = await rig.callTool({ ...step, position: 0 });
    expect(result).toEqual({ code: 'done', operationId: REFUND_ID, externalId: 'po_1' });
    expect(await rig.replies(step)).toMatchObject([{ ...result, text: expect.stringContaining('po_1'), attempts: 1 }]);
  });

  test('is stored once: a repeated call reads it back, whatever is true by then', async () => {
    rig.provider.treat('li_2', 'lose-answer');
    const place = { ...(await rig.planned([line2()])), position: 0 };
    await expect(rig.callTool(place)).resolves.toMatchObject({ code: 'outcome_unknown' });
    await expect(rig.told(line2())).resolves.toMatchObject({ code: 'already_done' });
    await expect(rig.callTool(place, { attempt: 2 })).resolves.toMatchObject({ code: 'outcome_unknown' });
    expect(rig.provider.effects).toHaveLength(1);
  });

  test('that could not be stored is told by the next attempt, and nothing is sent again', async () => {
    const place = { ...(await rig.planned([line2()])), position: 0 };
    const { query } = test_.database.pool;
    jest.spyOn(test_.database.pool, 'query').mockImplementation((...args: unknown[]) => {
      if (String(args[0]).includes('insert into "sendonce".results')) throw new Error('The database is gone.');
      return (query as (...all: unknown[]) => unknown).apply(test_.database.pool, args);
    });
    await expect(rig.callTool(place)).rejects.toThrow('The database is gone.');
    jest.restoreAllMocks();
    await expect(rig.callTool(place, { attempt: 2 })).resolves.toMatchObject({ code: 'done' });
    expect(rig.provider.sends).toEqual([REFUND_ID]);
  });
});

describe('refused before anything is registered: invalid_input, which says what is wrong, and nothing is sent', () => {
  async function refusedWith(message: RegExp) {
    const reply = await rig.told(line2());
    expect(reply).toMatchObject({
      ...{ code: 'invalid_input', isError: true, retryAction: 'new-input' },
      text: expect.stringMatching(message),
    });
    expect(await rig.kinds(REFUND_ID)).not.toContain('registered');
    expect(rig.provider.sends).toEqual([]);
  }

  test.each([0, -100, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'an amount of %p, refused by the provider’s encode',
    async (amount) => {
      rig.shop.amount = () => amount;
      await refusedWith(/^The amount .* is no positive whole number\. Nothing was sent\.$/);
    },
  );

  test('a request that refuses', async () => {
    rig.shop.amount = () => {
      throw new RefusedError('The order is not paid.');
    };
    await refusedWith(/^The order is not paid\. Nothing was sent\.$/);
  });

  test('an order that became somebody else’s since the call was planned', async () => {
    const step = await rig.planned([line2()]);
    rig.shop.onResolve = () => {
      throw new RefusedError('This customer has no order "1043".');
    };
    await expect(rig.callTool({ ...step, position: 0 })).resolves.toMatchObject({ code: 'invalid_input' });
    expect(rig.provider.sends).toEqual([]);
  });

  test('a quantity that the shop changed since the call was planned', async () => {
    const step = await rig.planned([line2()]);
    rig.shop.pieces = () => 1;
    await rig.callTool({ ...step, position: 0 });
    expect(await rig.replies(step)).toMatchObject([
      { text: expect.stringMatching(/has changed since it was planned/) },
    ]);
    expect(rig.provider.sends).toEqual([]);
  });

  test('an operation that became another one since the call was planned', async () => {
    let line = 'li_1';
    const tool = defineOperation({
      ...{ name: 'pay', description: 'Pay.', input: z.object({}), provider: rig.provider },
      resolve: () => ({ line }),
      operationId: (objects) => id`pay-${objects.line}`,
      request: () => ({ to: line, amount: 1 }),
    });
    const other = new ActivityRig(test_, { tools: [tool], provider: rig.provider });
    const step = await other.planned([toolCall('pay', {})]);
    line = 'li_2';
    await expect(other.callTool({ ...step, position: 0 }, {}, 'pay')).resolves.toMatchObject({
      ...{ code: 'invalid_input', operationId: 'pay-li_1' },
    });
    expect(rig.provider.sends).toEqual([]);
  });

  test('arguments that a newer release of the tool takes no more', async () => {
    const release = (input: z.ZodType) =>
      defineOperation({
        ...{ name: 'pay', description: 'Pay.', input, provider: rig.provider },
        resolve: () => ({ line: 'li_1' }),
        operationId: (objects) => id`pay-${objects.line}`,
        request: () => ({ to: 'li_1', amount: 1 }),
      });
    const older = new ActivityRig(test_, { tools: [release(z.object({}))] });
    const step = await older.planned([toolCall('pay', { to: 'x' })]);
    const newer = new ActivityRig(test_, { tools: [release(z.object({ to: z.email() }))] });
    await newer.callTool({ ...step, position: 0 }, {}, 'pay');
    expect(await newer.replies(step)).toMatchObject([
      { code: 'invalid_input', text: expect.stringMatching(/arguments of pay are not valid.*at to/s) },
    ]);
    expect(rig.provider.sends).toEqual([]);
  });

  test('and the call stays refused: a repeated activity sends nothing when the reason is gone', async () => {
    const step = await rig.planned([line2()]);
    rig.shop.amount = () => 0;
    await rig.callTool({ ...step, position: 0 });
    rig.shop.amount = () => 100;
    await expect(rig.callTool({ ...step, position: 0 }, { attempt: 2 })).resolves.toMatchObject({
      code: 'invalid_input',
    });
    expect(rig.provider.sends).toEqual([]);
  });

  test('and a new call, planned after it, is free to go', async () => {
    rig.shop.amount = () => 0;
    await rig.told(line2());
    rig.shop.amount = () => 100;
    await expect(rig.told(line2())).resolves.toMatchObject({ code: 'done' });
    expect(effects()).toEqual([['li_2', 100, REFUND_ID]]);
  });

  test('an error that is no refusal is not told: the activity fails, and its next attempt goes on', async () => {
    const place = { ...(await rig.planned([line2()])), position: 0 };
    rig.shop.amount = () => {
      throw new TypeError('undefined is not a price');
    };
    await expect(rig.callTool(place)).rejects.toMatchObject({ type: 'TypeError', nonRetryable: false });
    expect(await rig.events(REFUND_ID)).toEqual([]);
    rig.shop.amount = () => 100;
    await expect(rig.callTool(place, { attempt: 2 })).resolves.toMatchObject({ code: 'done' });
  });
});

describe('operation IDs', () => {
  const custom = (operationId: string, maxLength = 60) => {
    const provider = new CountingProvider();
    const key = { ...(provider.contract.key as object), maxLength } as never;
    const tool = defineOperation({
      name: 'pay',
      description: 'Pay.',
      input: z.object({}),
      resolve: () => ({ operationId }),
      operationId: (objects) => id`pay-${objects.operationId}`,
      request: () => ({ to: 'x', amount: 1 }),
      provider: new CountingProvider({ key }),
    });
    return new ActivityRig(test_, { tools: [tool], provider });
  };

  test.each([
    ['too long for the provider, with room for a generation', 'x'.repeat(53), /has 57 characters.*room for 56/],
    ['not ASCII', 'größe', /not printable ASCII/],
    ['with a NUL', 'a\0b', /not printable ASCII/],
    ['empty', '', /is empty/],
  ])('%s → refused when planned, nothing registered', async (_what, part, message) => {
    const other = custom(part);
    await expect(other.told(toolCall('pay', {}))).resolves.toMatchObject({
      code: 'invalid_input',
      text: expect.stringMatching(message),
    });
    const { rows } = await test_.database.pool.query('select from sendonce.operations');
    expect(rows).toHaveLength(0);
  });

  test('that just fit are sent as they are, never cut', async () => {
    const other = custom('x'.repeat(52));
    await expect(other.told(toolCall('pay', {}))).resolves.toMatchObject({ operationId: `pay-${'x'.repeat(52)}` });
  });
});

describe('one operation, many calls', () => {
  test('twins in one step: one effect, and both hear of it', async () => {
    const step = await rig.planned([line2({ reason: 'never came' }), line2({ reason: 'missing' })]);
    const results = await Promise.all([0, 1].map((position) => rig.callTool({ ...step, position })));
    expect(results.map(({ code }) => code).sort()).toEqual(['already_done', 'done']);
    expect(effects()).toEqual([['li_2', 300, REFUND_ID]]);
  });

  test('another quantity for the same line → conflict, the first one is told, nothing is sent', async () => {
    await rig.told(line2({ quantity: 1 }));
    const reply = await rig.told(line2({ quantity: 2 }));
    expect(reply).toMatchObject({ code: 'conflict', isError: true, retryAction: 'new-input', externalId: 'po_1' });
    expect(reply.text).toMatch(/state confirmed.*This call sent nothing/);
    expect(effects()).toEqual([['li_2', 100, REFUND_ID]]);
  });

  test('another quantity of a twin in one step → one is sent, the other is in conflict', async () => {
    const step = await rig.planned([line2({ quantity: 1 }), line2({ quantity: 2 })]);
    const results = await Promise.all([0, 1].map((position) => rig.callTool({ ...step, position })));
    expect(results.map(({ code }) => code).sort()).toEqual(['conflict', 'done']);
    expect(rig.provider.effects).toHaveLength(1);
  });

  test('the whole line, spelled out or not, is no conflict', async () => {
    await rig.told(line2());
    await expect(rig.told(line2({ quantity: 3 }))).resolves.toMatchObject({ code: 'already_done' });
  });

  test('another tool with the same operation ID → conflict, whatever became of the first', async () => {
    rig.provider.treat('li_2', 'refuse');
    await rig.told(line2());
    const tool = defineOperation({
      name: 'pay',
      description: 'Pay.',
      input: z.object({}),
      resolve: () => ({ order: '1043', line: 'li_2' }),
      operationId: ({ order, line }) => id`refund-${order}-${line}`,
      request: () => ({ to: 'li_2', amount: 1 }),
      provider: rig.provider,
    });
    const other = new ActivityRig(test_, { tools: [tool] });
    await expect(other.told(toolCall('pay', {}))).resolves.toMatchObject({ code: 'conflict' });
    expect(rig.provider.effects).toEqual([]);
  });

  test('a lost answer, asked for again: found at the provider, nothing is sent', async () => {
    rig.provider.treat('li_2', 'lose-answer');
    await expect(rig.told(line2())).resolves.toMatchObject({ code: 'outcome_unknown', retryAction: 'query-status' });
    await expect(rig.told(line2())).resolves.toMatchObject({ code: 'already_done', externalId: 'po_1' });
    expect(rig.provider.sends).toEqual([REFUND_ID]);
  });

  test('a lost request, asked for again: the same key, one effect', async () => {
    rig.provider.treat('li_2', 'lose-request');
    await rig.told(line2());
    await expect(rig.told(line2())).resolves.toMatchObject({ code: 'done', attempts: 2 });
    expect(rig.provider.sends).toEqual([REFUND_ID, REFUND_ID]);
    expect(rig.provider.effects).toHaveLength(1);
  });
});

describe('generations', () => {
  async function rejectedOnce(): Promise<CallPlace> {
    rig.provider.treat('li_2', 'refuse');
    const place = { ...(await rig.planned([line2()])), position: 0 };
    await expect(rig.callTool(place)).resolves.toMatchObject({ code: 'rejected' });
    return place;
  }

  test('after a certain rejection a new call sends under the next key, and may bring another quantity', async () => {
    await rejectedOnce();
    await expect(rig.told(line2({ quantity: 1 }))).resolves.toMatchObject({ code: 'done' });
    expect(effects()).toEqual([['li_2', 100, `${REFUND_ID}~2`]]);
  });

  test('a retry of the rejected call hears of the rejection and sends nothing', async () => {
    const place = await rejectedOnce();
    await expect(rig.callTool(place, { attempt: 2 })).resolves.toMatchObject({ code: 'rejected' });
    expect(rig.provider.sends).toEqual([REFUND_ID]);
  });

  test('a call planned for generation 1 that runs after generation 2 was sent hears what is true, and sends nothing', async () => {
    const early = { ...(await rig.planned([line2()])), position: 0 };
    await rejectedOnce();
    await rig.told(line2());
    await expect(rig.callTool(early)).resolves.toMatchObject({ code: 'already_done', externalId: 'po_1' });
    expect(rig.provider.sends).toEqual([REFUND_ID, `${REFUND_ID}~2`]);
  });

  test('a call planned for generation 1 that runs before generation 2 was sent hears of the rejection', async () => {
    const early = { ...(await rig.planned([line2()])), position: 0 };
    await rejectedOnce();
    await rig.planned([line2()]);
    await expect(rig.callTool(early)).resolves.toMatchObject({ code: 'rejected' });
    expect(rig.provider.sends).toEqual([REFUND_ID]);
  });

  test('two calls planned for generation 2 at once: one effect', async () => {
    await rejectedOnce();
    const step = await rig.planned([line2(), line2()]);
    const results = await Promise.all([0, 1].map((position) => rig.callTool({ ...step, position })));
    expect(results.map(({ code }) => code).sort()).toEqual(['already_done', 'done']);
    expect(rig.provider.effects).toHaveLength(1);
  });
});

describe('several executions of one call', () => {
  test('two at once, as of one attempt: one effect, and one result for both', async () => {
    const place = { ...(await rig.planned([line2()])), position: 0 };
    const [one, other] = await Promise.all([rig.callTool(place), rig.callTool(place)]);
    expect(one).toEqual(other);
    expect(rig.provider.effects).toHaveLength(1);
  });

  test('a second attempt while the first is in flight: the same key only, one effect', async () => {
    const place = { ...(await rig.planned([line2()])), position: 0 };
    const gate = rig.provider.holdAnswer('li_2');
    const first = rig.callTool(place);
    await gate.reached;
    await expect(rig.callTool(place, { attempt: 2 })).resolves.toMatchObject({ code: 'done' });
    gate.open();
    await expect(first).resolves.toMatchObject({ code: 'done' });
    expect(new Set(rig.provider.sends)).toEqual(new Set([REFUND_ID]));
    expect(rig.provider.effects).toHaveLength(1);
  });

  test('an older attempt that wakes up after a newer one has marked sends nothing', async () => {
    const place = { ...(await rig.planned([line2()])), position: 0 };
    const watched = new WatchedLedger(rig.ledger);
    const frozen = new ActivityRig(test_, { ledger: watched, provider: rig.provider });
    watched.before('save', async () => {
      await rig.callTool(place, { attempt: 2 });
    });
    await expect(frozen.callTool(place)).resolves.toMatchObject({ code: 'done' });
    expect(rig.provider.sends).toEqual([REFUND_ID]);
  });

  test('not submitted → a failure that Temporal repeats, and after five attempts the call’s answer', async () => {
    rig.provider.treat('li_2', ...Array.from({ length: 9 }, () => 'turn-away' as const));
    const place = { ...(await rig.planned([line2()])), position: 0 };
    for (let attempt = 1; attempt < 5; attempt++) {
      const failure = await rig.callTool(place, { attempt }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApplicationFailure);
      expect(failure).toMatchObject({ type: 'SENDONCE_NOT_SUBMITTED', nonRetryable: false });
    }
    await expect(rig.callTool(place, { attempt: 5 })).resolves.toMatchObject({ code: 'not_submitted' });
    expect(rig.provider.sends).toEqual([]);
  });

  test('cancelled before it begins → nothing is registered or sent', async () => {
    const place = { ...(await rig.planned([line2()])), position: 0 };
    const environment = quietEnvironment();
    environment.cancel('CANCELLED');
    await expect(rig.callTool(place, { environment })).rejects.toBeInstanceOf(CancelledFailure);
    expect(await rig.events(REFUND_ID)).toEqual([]);
  });

  test('cancelled while its request is out → the answer is recorded and told all the same', async () => {
    const place = { ...(await rig.planned([line2()])), position: 0 };
    const environment = quietEnvironment();
    const gate = rig.provider.holdAnswer('li_2');
    const running = rig.callTool(place, { environment });
    await gate.reached;
    environment.cancel('CANCELLED');
    gate.open();
    await expect(running).resolves.toMatchObject({ code: 'done' });
    expect(await rig.kinds(REFUND_ID)).toEqual(['registered', 'marked', 'answered']);
  });
});

describe('a read-only tool', () => {
  const reading = (run: () => unknown) =>
    new ActivityRig(test_, { tools: [defineTool({ name: 'read', description: 'Read.', input: z.object({}), run })] });
  const read = (run: () => unknown) => reading(run).told(toolCall('read', {}));

  test('gives text as it is and everything else as JSON', async () => {
    await expect(read(() => 'as it is')).resolves.toMatchObject({ text: 'as it is', code: 'done', isError: false });
    await expect(read(async () => ({ a: [1, null] }))).resolves.toMatchObject({ text: '{"a":[1,null]}' });
    await expect(read(() => undefined)).resolves.toMatchObject({ text: '', isError: false });
  });

  test('that gives 200 kB → the model is told to ask for less, and gets none of it', async () => {
    const reply = await read(() => 'x'.repeat(200_000));
    expect(reply).toMatchObject({ isError: true, text: expect.stringMatching(/has 200000 characters.*Ask for less/) });
    expect(reply.text.length).toBeLessThan(200);
  });

  test('that gives NUL, a lone surrogate and an emoji → kept to the letter; the prompt shows � for what endpoints refuse', async () => {
    const odd = 'a\0b\uD800c🙂\u2028"\\u0000"';
    const other = reading(() => odd);
    const step = await other.planned([toolCall('read', {})]);
    await other.callTool({ ...step, position: 0 }, {}, 'read');
    expect(await other.replies(step)).toMatchObject([{ text: odd }]);
    await other.callModel({ ...step, step: 2 });
    const tool = other.asked.at(-1)?.prompt.find(({ role }) => role === 'tool');
    expect(tool?.content).toMatchObject([{ output: { type: 'text', value: odd.replace('\uD800', '\uFFFD') } }]);
  });

  test('that refuses → invalid_input with its words', async () => {
    const reply = await read(() => {
      throw new RefusedError('This customer has no order "9".');
    });
    expect(reply).toMatchObject({
      code: 'invalid_input',
      text: 'This customer has no order "9". This call only reads and changed nothing.',
    });
  });

  test('that fails → the activity fails and is repeated', async () => {
    const failing = read(() => {
      throw new Error('The shop is down.');
    });
    await expect(failing).rejects.toMatchObject({ type: 'Error', nonRetryable: false, message: 'The shop is down.' });
  });

  test('whose result has no JSON → the model is told, and nothing is repeated', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(read(() => circular)).resolves.toMatchObject({ isError: true, text: expect.stringMatching(/JSON/) });
    await expect(read(() => ({ amount: 1n }))).resolves.toMatchObject({ isError: true });
  });
});

describe('odd words of the provider', () => {
  test('NUL and lone surrogates in a refusal are recorded and told', async () => {
    rig.provider.send = async () => ({
      ...{ kind: 'rejected', covers: 'all', code: 'odd', message: 'a\0b\uD800', externalId: null },
      receipt: { requestId: 'req\0', httpStatus: 400, detail: '\uDFFF' },
    });
    await expect(rig.told(line2())).resolves.toMatchObject({
      code: 'rejected',
      text: expect.stringContaining('a\0b\uD800'),
    });
    const ledger = new PostgresLedger(test_.database);
    const { events } = await ledger.load({ tenant: TENANT, operationId: REFUND_ID });
    expect(events.at(-1)).toMatchObject({ outcome: { message: 'a\0b\uD800', receipt: { detail: '\uDFFF' } } });
  });
});
