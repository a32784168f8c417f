// Needs nothing but local ports: tools made by defineOperation with one defect each, through the kit.
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { z } from 'zod';
import { id } from '../../src/operations/operation-id';
import type { Provider } from '../../src/providers/provider';
import { type StripeRefundRequest, stripeRefunds } from '../../src/providers/stripe';
import { checkOperation, type DownstreamAddress, type Finding, fakeStripeDownstream } from '../../src/testing';
import { defineOperation, type OperationDefinition } from '../../src/tools/define-operation';
import type { OperationTool } from '../../src/tools/tool';

const INPUT = z.object({ order: z.string(), quantity: z.int().optional(), reason: z.string().optional() });

const ORDERS = 200;

interface Objects {
  readonly order: string;
  readonly quantity: number;
  readonly reason: string;
  readonly sessionId: string;
}

type Refunds = Provider<StripeRefundRequest>;
type Change = Partial<OperationDefinition<typeof INPUT, Objects, StripeRefundRequest>>;

function tool(at: DownstreamAddress, change: (provider: Refunds) => Change): OperationTool {
  const { host, port, protocol } = at;
  const provider = stripeRefunds({
    connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }),
  });
  return defineOperation({
    name: 'refund_order',
    description: 'Refund one order.',
    input: INPUT,
    resolve: ({ order, quantity = 1, reason = '' }, { sessionId }) => ({ order, quantity, reason, sessionId }),
    operationId: ({ order }) => id`refund-${order}`,
    intent: ({ quantity }) => ({ quantity }),
    request: ({ order, quantity }) => ({ paymentIntent: `pi_${order}`, amount: 10 * quantity, currency: 'eur' }),
    provider,
    ...change(provider),
  });
}

const BROKEN: Readonly<Record<string, (provider: Refunds) => Change>> = {
  'puts the session into its operation ID': () => ({
    operationId: ({ order, sessionId }) => id`refund-${order}-${sessionId}`,
  }),
  'takes another reason for other content': () => ({ intent: ({ quantity, reason }) => ({ quantity, reason }) }),
  'takes other content for the same': () => ({ intent: () => ({}) }),
  'has a provider that sends under a new key each try': (provider) => ({
    provider: {
      ...provider,
      send: ({ request, operationId, ...send }) => {
        const key = randomUUID();
        return provider.send({
          ...send,
          ...{ key, operationId, request: provider.remark?.(request, { operationId, key }) ?? request },
        });
      },
      find: async () => ({ kind: 'absent' }),
    },
  }),
  'has a provider that takes HTTP 500 for a refusal': (provider) => ({
    provider: {
      ...provider,
      send: async (send) => {
        const outcome = await provider.send(send);
        if (outcome.receipt.httpStatus !== 500) return outcome;
        const { receipt } = outcome;
        return { kind: 'rejected', covers: 'all', code: 'failed', message: 'It failed.', externalId: null, receipt };
      },
    },
  }),
  'has a provider that knows no deadline': (provider) => ({
    provider: { ...provider, send: (send) => provider.send({ ...send, deadline: { remainingMs: () => 9_000 } }) },
  }),
};

const found: Record<string, readonly Finding[]> = {};

beforeAll(async () => {
  const each = Object.entries(BROKEN).map(async ([name, change]) => {
    found[name] = await checkOperation({
      downstream: fakeStripeDownstream((fake) => {
        for (let nth = 1; nth <= ORDERS; nth++) fake.addPayment({ id: `pi_${nth}`, amount: 1_000, currency: 'eur' });
      }),
      tool: (at) => tool(at, change),
      input: (nth) => ({ order: String(nth) }),
      reworded: (input) => ({ ...(input as object), reason: 'It never came.' }),
      changed: (input) => ({ ...(input as object), quantity: 2 }),
      patienceMs: 300,
    });
  });
  await Promise.all(each);
}, 400_000);

test.each<[name: string, promise: string, words: RegExp]>([
  [
    'puts the session into its operation ID',
    'the operation ID is of the business only: other words, session, call and time give the same',
    /^One intent is the operation refund-\d+-chat%2D1, and asked for in other words and from another session it is refund-\d+-chat%2D2/,
  ],
  [
    'puts the session into its operation ID',
    'a call that nothing goes wrong with has one effect and is told done; asked again, it stays one',
    /^It was done, and the model asked again, and one intent has 2 effects: re_\w+ and re_\w+\./,
  ],
  [
    'takes another reason for other content',
    'the operation ID is of the business only: other words, session, call and time give the same',
    /a false conflict\. Say by intent what must not change\.$/,
  ],
  [
    'takes another reason for other content',
    'a call that nothing goes wrong with has one effect and is told done; asked again, it stays one',
    /^It was done, and the model asked again for the same thing, and was refused \("Conflict: /,
  ],
  [
    'takes other content for the same',
    'the same thing with other content is a conflict, and sends nothing',
    /^Other content was asked for under one operation ID, and the call was told "Already done: /,
  ],
  [
    'has a provider that sends under a new key each try',
    'the worker dies at any step, and the call is run again → one effect, and what is told is true',
    /^The worker died after send, and its call was run again, and one intent has 2 effects/,
  ],
  [
    'has a provider that takes HTTP 500 for a refusal',
    'a lost answer or a time-out is never told as a failure',
    /^The effect was made, and the answer was HTTP 500, and the call was told that it failed \("Rejected: .*It certainly had no effect/,
  ],
  [
    'has a provider that takes HTTP 500 for a refusal',
    'the answer is lost and the model asks again, in other words and from another session → one effect',
    /the answer was HTTP 500, and the model asked again, and one intent has 2 effects: .* under refund-\d+, refund-\d+~2\./,
  ],
  [
    'has a provider that knows no deadline',
    'a worker that was frozen past its send deadline sends nothing; its call is run again and has one effect',
    /^The worker was frozen \(before send\) until its send deadline was over, and its attempt ended confirmed, not not-submitted/,
  ],
])('a tool that %s breaks: %s', (name, promise, words) => {
  const finding = (found[name] ?? []).find((each) => each.promise === promise);
  expect(finding).toEqual({ promise, broken: expect.stringMatching(words), notChecked: null });
});
