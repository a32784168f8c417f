// Needs nothing.
import { z } from 'zod';
import type { Contract } from '../../src/operations/contract';
import { id, type OperationId } from '../../src/operations/operation-id';
import { hours, milliseconds, minutes, seconds } from '../../src/operations/time';
import type { Provider } from '../../src/providers/provider';
import { catalogueOf } from '../../src/tools/catalogue';
import { defineOperation, type OperationDefinition } from '../../src/tools/define-operation';
import { defineTool } from '../../src/tools/define-tool';
import { parseInput } from '../../src/tools/parse-input';
import type { Tool } from '../../src/tools/tool';
import { CONTRACT, PerformRig } from '../support/perform-rig';

const CALLER = { tenant: 'shop', customer: 'customer-77', sessionId: 'chat-1', callId: 'chat-1/1/1/0' };
const provider = (change: Partial<Provider<unknown>> = {}): Provider<unknown> => ({
  ...new PerformRig().provider,
  ...change,
});

interface Objects {
  readonly order: string;
  readonly quantity?: unknown;
  readonly [more: string]: unknown;
}

const operation = (change: Partial<OperationDefinition<z.ZodType, Objects, unknown>> = {}) =>
  defineOperation<z.ZodType, Objects, unknown>({
    name: 'refund',
    description: 'Refund.',
    input: z.object({}),
    resolve: () => ({ order: '1043', quantity: 1 }),
    operationId: ({ order }) => id`refund-${order}`,
    request: () => ({}),
    provider: provider(),
    ...change,
  });

const intentOf = async (change: Parameters<typeof operation>[0]) => (await operation(change).plan({}, CALLER)).intent;

const tool = (name: string) => defineTool({ name, description: 'Read.', input: z.object({}), run: async () => '' });

describe('a tool’s name', () => {
  const longest = `a${'b'.repeat(63)}`;
  test.each(['a', 'find_order', 'find-order', 'A1', 'constructor', longest])('%s is taken', (name) => {
    expect(tool(name).name).toBe(name);
    expect(operation({ name }).name).toBe(name);
  });

  test.each(['', '1a', '_a', 'a b', 'a.b', 'sendonce.callModel', 'größe', 'a\n', `${longest}b`, '__proto__'])(
    '%p is refused, and said what it must be',
    (name) => {
      const words = /must be 1 to 64 letters, digits, _ and -, and begin with a letter/;
      expect(() => tool(name)).toThrow(words);
      expect(() => operation({ name })).toThrow(words);
    },
  );

  test('is one tool’s: two tools of one name are refused, with the name', () => {
    expect(() => catalogueOf([tool('refund'), operation()])).toThrow(
      expect.objectContaining({
        code: 'SENDONCE_TOOL_NAME_TAKEN',
        tool: 'refund',
        message: expect.stringContaining('Rename'),
      }),
    );
  });

  test.each<[unknown]>([
    [{ name: 'x' }],
    [{ kind: 'operation', name: 'x' }],
    [{ kind: 'read', run: () => '' }],
    [defineTool],
    [null],
  ])('is that of a tool: %p is told with its place in the list', (given) => {
    expect(() => catalogueOf([tool('refund'), given as Tool])).toThrow(
      'tools[1] is no tool. Make it with defineOperation or defineTool.',
    );
  });

  test('finds its tool, and no property that every object has', () => {
    const catalogue = catalogueOf([tool('a'), tool('constructor')]);
    expect([...catalogue.keys()]).toEqual(['a', 'constructor']);
    expect(catalogue.get('toString')).toBeUndefined();
  });
});

describe('arguments', () => {
  test.each([
    ['a date', z.object({ when: z.date() }), /The input of refund cannot be told to a model: .*Date/],
    ['a bigint', z.object({ amount: z.bigint() }), /cannot be told to a model/],
    ['a text alone', z.string(), /is of type string\. Make it an object/],
    ['a list', z.array(z.string()), /is of type array\. Make it an object/],
  ])(
    'that no model can be told (%s) are refused when the tool is defined, and not at the first message',
    (_what, input, words) => {
      expect(() => operation({ input })).toThrow(words);
      expect(() => defineTool({ name: 'refund', description: '', input, run: async () => '' })).toThrow(words);
    },
  );

  test.each([
    ['with a default and a transform', z.object({ a: z.string().default('x').transform(Number) })],
    ['refined', z.object({ a: z.string() }).refine(({ a }) => a !== '')],
    ['one of several', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['strict', z.strictObject({ a: z.string() })],
  ])('%s are taken', (_what, input) => {
    expect(operation({ input }).input).toBe(input);
  });

  test('what a tool does not know never reaches it; a strict one says so', async () => {
    const loose = operation({ input: z.object({ a: z.string() }) });
    expect(await parseInput(loose, { a: 'x', customer: 'y' })).toEqual({ kind: 'valid', input: { a: 'x' } });
    const strict = operation({ input: z.strictObject({ a: z.string() }) });
    const parsed = await parseInput(strict, { a: 'x', customer: 'y' });
    expect(parsed).toEqual({ kind: 'invalid', message: expect.stringMatching(/refund are not valid.*"customer"/s) });
  });

  test('each field that is wrong is named', async () => {
    const input = z.object({ orderId: z.string(), quantity: z.int().positive() });
    const parsed = await parseInput(operation({ input }), { orderId: 1, quantity: -1 });
    expect(parsed).toEqual({ kind: 'invalid', message: expect.stringMatching(/at orderId.*at quantity/s) });
  });

  test('rules that ask somebody are waited for', async () => {
    const input = z.object({ a: z.string().refine(async (a) => a === 'x', 'must be x') });
    const invalid = { kind: 'invalid', message: expect.stringContaining('must be x') };
    expect(await parseInput(operation({ input }), { a: 'y' })).toEqual(invalid);
    expect(await parseInput(operation({ input }), { a: 'x' })).toMatchObject({ kind: 'valid' });
  });
});

describe('a contract that contradicts itself is refused when the tool is defined, with the provider’s name', () => {
  const key = { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' } as const;
  const cases: readonly [string, Partial<Contract>, RegExp][] = [
    ['no time to send', { sendWithin: milliseconds(0) }, /above zero/],
    ['no time for an answer', { answerWithin: milliseconds(0) }, /above zero/],
    ['no time to arrive', { deliverWithin: milliseconds(0) }, /above zero/],
    [
      'a margin shorter than a last resend',
      { key: { ...key, margin: minutes(15) } },
      /margin .* sendWithin \+ deliverWithin/,
    ],
    [
      'a window not longer than its margin',
      { key: { ...key, window: minutes(30) } },
      /window .* longer than its margin/,
    ],
  ];

  test.each(cases)('%s', (_what, change, words) => {
    const contradictory = provider({ contract: { ...CONTRACT, ...change } });
    expect(() => operation({ provider: contradictory })).toThrow(/^Provider testing\.refunds: /);
    expect(() => operation({ provider: contradictory })).toThrow(words);
  });

  test('the shortest margin that a last resend still fits in is taken', () => {
    const margin = milliseconds(seconds(10) + minutes(15));
    expect(operation({ provider: provider({ contract: { ...CONTRACT, key: { ...key, margin } } }) }).kind).toBe(
      'operation',
    );
  });
});

describe('the operation ID', () => {
  const planned = (change: Parameters<typeof operation>[0]) => operation(change).plan({}, CALLER);

  test('is computed from what `resolve` gave', async () => {
    await expect(planned({})).resolves.toMatchObject({ operationId: 'refund-1043' });
  });

  test.each(['refund~2', 'refund 1', 'größe', '', 'a\0'])(
    'that is not made by the template and cannot be one (%p) is refused',
    async (made) => {
      await expect(planned({ operationId: () => made as OperationId })).rejects.toMatchObject({
        code: 'SENDONCE_REFUSED',
      });
    },
  );

  test('leaves room in the key for the tenant where tenants share an account', async () => {
    const key = { window: hours(24), margin: minutes(30), maxLength: 20, replays: 'every-answer' } as const;
    const contract = { ...CONTRACT, key };
    const own = provider({ contract });
    const shared = provider({ contract, sharedAccount: true });
    const resolve = () => ({ order: '123456789' });
    await expect(planned({ provider: own, resolve })).resolves.toMatchObject({ operationId: 'refund-123456789' });
    await expect(planned({ provider: shared, resolve })).rejects.toThrow(
      'has 16 characters; the provider has room for 11',
    );
  });

  test('has a limit where the provider knows no key', async () => {
    const keyless = provider({ contract: { ...CONTRACT, key: 'none' } });
    const resolve = (length: number) => () => ({ order: 'x'.repeat(length) });
    await expect(planned({ provider: keyless, resolve: resolve(244) })).resolves.toBeDefined();
    await expect(planned({ provider: keyless, resolve: resolve(245) })).rejects.toThrow(
      'the provider has room for 251',
    );
  });

  test('`request` runs once it is asked for, and not when the call is planned', async () => {
    const request = jest.fn(() => ({ amount: 1 }));
    const plan = await planned({ request });
    expect(request).not.toHaveBeenCalled();
    await expect(plan.request()).resolves.toEqual({ amount: 1 });
  });
});

describe('the default intent is what `resolve` gave and `operationId` did not read', () => {
  test('what the ID was made of is left out, the rest counts', async () => {
    expect(await intentOf({})).toBe('{"quantity":1}');
  });

  test('in whatever order it came, without volatile fields at any depth and without undefined', async () => {
    const resolve = () => ({
      order: '1',
      b: { nonce: 1, y: 1, x: 2 },
      a: [{ timestamp: 1, z: 1 }],
      trace_id: 1,
      c: undefined,
    });
    expect(await intentOf({ resolve })).toBe('{"a":[{"z":1}],"b":{"x":2,"y":1}}');
  });

  test('reading a part of an object leaves out all of it: what differs in it must be named by `intent`', async () => {
    const resolve = () => ({ order: '1', line: { id: 'li_2', amount: 100 }, quantity: 2 });
    const operationId = ({ order, line }: Objects) => id`refund-${order}-${(line as { id: string }).id}`;
    expect(await intentOf({ resolve, operationId })).toBe('{"quantity":2}');
  });

  test('nothing left → nothing can be in conflict', async () => {
    expect(await intentOf({ resolve: () => ({ order: '1' }) })).toBe('{}');
  });

  test('objects with getters and private fields, frozen ones too, are read as they are', async () => {
    class Found {
      readonly order = '1043';
      readonly quantity = 2;
      readonly #secret = 'x';
      get line(): string {
        return `li_2${this.#secret}`;
      }
    }
    const resolve = () => Object.freeze(new Found()) as unknown as Objects;
    const operationId = ({ order, line }: Objects) => id`refund-${order}-${String(line)}`;
    const plan = await operation({ resolve, operationId }).plan({}, CALLER);
    expect(plan).toMatchObject({ operationId: 'refund-1043-li_2x', intent: '{"quantity":2}' });
  });
});

describe('an intent of the tool’s own', () => {
  test.each<[string, unknown, string]>([
    ['is canonical', { b: 1, a: [2, { d: 3, c: 4 }] }, '{"a":[2,{"c":4,"d":3}],"b":1}'],
    ['may be a text', 'x', '"x"'],
    ['may be nothing', undefined, 'null'],
    ['may hold bigints and dates', { n: 10n, at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z","n":"10"}'],
    ['keeps what it names', { timestamp: '09:00', quantity: 2 }, '{"quantity":2,"timestamp":"09:00"}'],
    ['keeps lists in their order', [3, 1, 2], '[3,1,2]'],
    ['keeps odd characters', 'a\0\uD800', '"a\\u0000\\ud800"'],
  ])('%s', async (_what, intent, text) => {
    expect(await intentOf({ intent: () => intent })).toBe(text);
  });
});

describe('the provider of an operation', () => {
  const withoutPart = (part: string) => ({ ...provider(), [part]: undefined }) as unknown as Provider<unknown>;

  test('that is missing is told with the tool’s name, and what to give', () => {
    expect(() => operation({ provider: undefined as unknown as Provider<unknown> })).toThrow(
      expect.objectContaining({
        code: 'SENDONCE_PROVIDER_MISSING',
        message:
          'The tool refund has no provider. Give defineOperation a provider, for example stripeRefunds({ connect }).',
      }),
    );
  });

  test.each(['name', 'contract', 'encode', 'send'])('that lacks %s is told, with the part', (part) => {
    expect(() => operation({ provider: withoutPart(part) })).toThrow(
      expect.objectContaining({
        code: 'SENDONCE_PROVIDER_MISSING',
        message: expect.stringContaining(`provider.${part}.`),
      }),
    );
  });
});

describe('an operation ID’s formula', () => {
  /** Objects as resolve could give them: the formulas are typed loosely, as in JavaScript. */
  // biome-ignore lint/suspicious/noExplicitAny: what is tried out here is what types cannot see.
  type Formula = (objects: any) => OperationId;
  const define = (operationId: Formula) => () => operation({ operationId });

  test.each<[string, Formula, RegExp]>([
    ['a time stamp', ({ order, timestamp }) => id`refund-${order}-${timestamp}`, /the volatile field timestamp\./],
    ['a nested nonce', ({ order }) => id`refund-${order.id}-${order.meta.nonce}`, /the volatile field nonce\./],
    [
      'a field in camel case',
      ({ order, requestTime }) => id`r-${order}-${requestTime}`,
      /the volatile field requestTime\./,
    ],
    ['a field of the second line only', ({ lines }) => id`r-${lines[1].trace_id}`, /the volatile field trace_id\./],
    ['the clock', ({ order }) => id`refund-${order}-${Date.now()}`, /a clock or a random value\./],
    ['a random number', ({ order }) => id`r-${order.id}-${String(Math.random())}`, /a clock or a random value\./],
    ['a new UUID', ({ order }) => id`refund-${order.id}-${crypto.randomUUID()}`, /a clock or a random value\./],
  ])('%s in it is refused when the tool is defined, and told', (_what, formula, message) => {
    expect(define(formula)).toThrow(
      expect.objectContaining({ code: 'SENDONCE_OPERATION_ID_VOLATILE', message: expect.stringMatching(message) }),
    );
  });

  test.each<[string, Formula]>([
    ['business fields', ({ order, line }) => id`refund-${order.id}-${line.id}`],
    ['texts made of them', ({ order }) => id`refund-${order.number.toString().padStart(6, '0')}-${`${order.line}`}`],
    ['numbers made of them', ({ order }) => id`refund-${Number(order.number) + 1}`],
    ['lists', ({ lines }) => id`refund-${lines.map((line: { id: string }) => line.id).join('+')}`],
    ['what cannot be tried out', ({ lines: [first] }) => id`refund-${first.id}`],
  ])('%s in it are taken', (_what, formula) => {
    expect(define(formula)).not.toThrow();
  });
});

describe('the scheduling of a tool', () => {
  test.each([
    [{ taskQueue: '' }, /needs a taskQueue/],
    [{ taskQueue: 7 as unknown as string }, /needs a taskQueue/],
    [{ taskQueue: 'refunds', maxConcurrent: 0 }, /maxConcurrent of refund must be a whole number above zero, not 0/],
    [{ taskQueue: 'refunds', maxConcurrent: 1.5 }, /maxConcurrent/],
    [{ taskQueue: 'refunds', maxPerSecond: 0 }, /maxPerSecond of refund must be a number above zero, not 0/],
    [{ taskQueue: 'refunds', maxPerSecond: Number.NaN }, /maxPerSecond/],
  ])('%j is refused', (scheduling, message) => {
    expect(() => operation({ scheduling })).toThrow(message);
  });

  test('is kept by both kinds of tools', () => {
    const scheduling = { taskQueue: 'refunds', maxPerSecond: 0.5 };
    expect(operation({ scheduling }).scheduling).toEqual(scheduling);
    const reading = defineTool({ name: 'read', description: 'Read.', input: z.object({}), run: () => '', scheduling });
    expect(reading.scheduling).toEqual(scheduling);
  });
});
