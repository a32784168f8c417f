// Needs nothing but local ports: errors of use, and the jest layer without jest.
import Stripe from 'stripe';
import { z } from 'zod';
import { id } from '../../src/operations/operation-id';
import { RefusedError } from '../../src/operations/refused-error';
import { type StripeRefundRequest, stripeRefunds } from '../../src/providers/stripe';
import {
  checkOperation,
  checkProvider,
  type DownstreamAddress,
  describeProvider,
  fakeStripeDownstream,
  httpDownstream,
  type OperationCheck,
  type ProviderCheck,
} from '../../src/testing';
import { defineOperation } from '../../src/tools/define-operation';

const downstream = () =>
  fakeStripeDownstream((fake) => void fake.addPayment({ id: 'pi_1', amount: 100_000, currency: 'eur' }));

function refunds({ host, port, protocol }: DownstreamAddress) {
  return stripeRefunds({ connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }) });
}

const PROVIDER: ProviderCheck<StripeRefundRequest> = {
  downstream: downstream(),
  provider: refunds,
  request: () => ({ paymentIntent: 'pi_1', amount: 10, currency: 'eur' }),
};

function refundTool(at: DownstreamAddress, idOf: (order: string) => string = (order) => order) {
  return defineOperation({
    name: 'refund_order',
    description: 'Refund one order.',
    input: z.object({ order: z.string() }),
    resolve: ({ order }) => {
      if (order === 'none') throw new RefusedError('There is no such order.');
      return { order };
    },
    operationId: ({ order }) => id`refund-${idOf(order)}`,
    request: () => ({ paymentIntent: 'pi_1', amount: 10, currency: 'eur' }),
    provider: refunds(at),
  });
}

const OPERATION: OperationCheck = {
  downstream: downstream(),
  tool: (at) => refundTool(at),
  input: (nth) => ({ order: String(nth) }),
};

const setupError = (message: RegExp) =>
  expect.objectContaining({ code: 'SENDONCE_CONFORMANCE_SETUP', message: expect.stringMatching(message) });

describe('errors of use say what to do', () => {
  test.each<[string, Partial<ProviderCheck<StripeRefundRequest>>, RegExp]>([
    ['no downstream', { downstream: undefined as never }, /needs downstream: .*httpDownstream\(\{ start \}\)/],
    ['no request', { request: undefined as never }, /needs request: a function/],
    [
      'another address',
      { provider: () => refunds({ url: '', host: '127.0.0.1', port: 1, protocol: 'http' }) },
      /^Nothing arrived at the downstream/,
    ],
    [
      'effects that count nothing',
      {
        downstream: httpDownstream({
          start: async () => {
            const fake = downstream();
            return { url: (await fake.start()).url, effects: () => [], stop: () => fake.stop() };
          },
        }),
      },
      /^The downstream counts no effect of a request that it answered/,
    ],
    [
      'a target without a URL',
      { downstream: httpDownstream({ start: () => ({ url: 'stripe', effects: () => [] }) }) },
      /must give the target's url, not "stripe"/,
    ],
  ])('provider: %s', async (_what, change, message) => {
    await expect(checkProvider({ ...PROVIDER, downstream: downstream(), ...change })).rejects.toEqual(
      setupError(message),
    );
  });

  test.each<[string, object, RegExp]>([
    ['no tool', { tool: undefined }, /needs either tool: .* or operation: /],
    ['both', { operation: () => undefined }, /needs either tool: .* or operation: /],
    ['no input', { input: undefined }, /needs input: \(nth\) =>/],
    ['no downstream', { downstream: undefined }, /needs downstream: /],
    [
      'an input that is refused',
      { input: () => ({ order: 'none' }) },
      /^The tool refused input\(1\): There is no such order\. Nothing was sent\./,
    ],
    [
      'inputs of one ID',
      { tool: (at: DownstreamAddress) => refundTool(at, () => 'all') },
      /^input\(1\) and input\(2\) are one operation, refund-all\./,
    ],
    [
      'another address',
      { tool: () => refundTool({ url: '', host: '127.0.0.1', port: 1, protocol: 'http' }) },
      /^Nothing arrived at the downstream/,
    ],
  ])('operation: %s', async (_what, change, message) => {
    const check = { ...OPERATION, downstream: downstream(), ...change } as OperationCheck;
    await expect(checkOperation(check)).rejects.toEqual(setupError(message));
  });

  test('describeProvider where there is no jest', () => {
    const { test: kept } = globalThis as { test?: unknown };
    Reflect.deleteProperty(globalThis, 'test');
    try {
      expect(() => describeProvider(PROVIDER)).toThrow(/^describeProvider or .* elsewhere use checkProvider/);
    } finally {
      Object.assign(globalThis, { test: kept });
    }
  });
});

describe('the jest layer', () => {
  test('a broken promise is a test that fails with its words; one that is not made is skipped with the reason', async () => {
    const { skipped, run } = await registered(() =>
      describeProvider({
        ...PROVIDER,
        downstream: downstream(),
        provider: (at) => ({
          ...refunds(at),
          send: (send) => refunds(at).send({ ...send, deadline: { remainingMs: () => 9_000 } }),
        }),
      }),
    );
    expect(skipped).toContain(
      'a signed webhook is news of the effect: our ID, its external ID, and whether it matches (not checked: the provider reads no webhooks)',
    );
    expect(await run('after its deadline a send writes nothing, and is not-submitted')).toMatch(
      /^Broken promise: after its deadline a send writes nothing, and is not-submitted\.\n\nThe deadline was over before the send began, and the request was sent\.$/,
    );
    expect(await run('a connection that is refused is not-submitted')).toBeNull();
  });
});

/** What a run of jest would have got, without one. */
async function registered(register: () => void) {
  const skipped: string[] = [];
  const bodies = new Map<string, () => Promise<void>>();
  const before: (() => Promise<void>)[] = [];
  const after: (() => Promise<void>)[] = [];
  const fakes = {
    describe: (_name: string, body: () => void) => body(),
    test: Object.assign((name: string, body: () => Promise<void>) => void bodies.set(name, body), {
      skip: (name: string) => void skipped.push(name),
    }),
    beforeAll: (body: () => Promise<void>) => void before.push(body),
    afterAll: (body: () => Promise<void>) => void after.push(body),
  };
  const kept = { describe, test, beforeAll, afterAll };
  Object.assign(globalThis, fakes);
  try {
    register();
  } finally {
    Object.assign(globalThis, kept);
  }
  const run = async (name: string): Promise<string | null> => {
    for (const body of before) await body();
    try {
      await bodies.get(name)?.();
      return bodies.has(name) ? null : 'There is no such test.';
    } catch (error) {
      return (error as Error).message;
    } finally {
      for (const body of after) await body();
    }
  };
  return { skipped, run };
}
