// Needs nothing but local ports: what promises less is sound, too, and the kit must not cry wolf over it.
import Stripe from 'stripe';
import { z } from 'zod';
import { id } from '../../src/operations/operation-id';
import type { Provider } from '../../src/providers/provider';
import { type StripeRefundRequest, stripeRefunds } from '../../src/providers/stripe';
import {
  checkOperation,
  checkProvider,
  type DownstreamAddress,
  type Finding,
  fakeStripeDownstream,
} from '../../src/testing';
import { defineOperation } from '../../src/tools/define-operation';

const ORDERS = 120;

type Refunds = Provider<StripeRefundRequest>;

function refunds({ host, port, protocol }: DownstreamAddress): Refunds {
  return stripeRefunds({ connect: (config) => new Stripe('sk_test_1', { ...config, host, port, protocol }) });
}

const downstream = () =>
  fakeStripeDownstream((fake) => {
    for (let nth = 1; nth <= ORDERS; nth++) fake.addPayment({ id: `pi_${nth}`, amount: 10_000, currency: 'eur' });
  });

const LESSER: Readonly<Record<string, (provider: Refunds) => Refunds>> = {
  'no key and no query': ({ find: _, contract, ...provider }) => ({
    ...provider,
    contract: { ...contract, key: 'none' },
  }),
  'no query': ({ find: _, ...provider }) => provider,
  'a key of successes only': (provider) => {
    const { contract } = provider;
    const key = contract.key === 'none' ? contract.key : ({ ...contract.key, replays: 'successes' } as const);
    return { ...provider, contract: { ...contract, key } };
  },
};

function broken(findings: readonly Finding[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    findings.flatMap(({ promise, broken: words }) => (words === null ? [] : [[promise, words]])),
  );
}

async function findingsOf(lessen: (provider: Refunds) => Refunds): Promise<readonly Finding[]> {
  const provider = (at: DownstreamAddress) => lessen(refunds(at));
  const ofProvider = checkProvider({
    downstream: downstream(),
    provider,
    request: () => ({ paymentIntent: 'pi_1', amount: 10, currency: 'eur' }),
  });
  const ofTool = checkOperation({
    downstream: downstream(),
    tool: (at) =>
      defineOperation({
        name: 'refund_order',
        description: 'Refund one order.',
        input: z.object({ order: z.string() }),
        resolve: ({ order }) => ({ order }),
        operationId: ({ order }) => id`refund-${order}`,
        request: ({ order }) => ({ paymentIntent: `pi_${order}`, amount: 10, currency: 'eur' }),
        provider: provider(at),
      }),
    input: (nth) => ({ order: String(nth) }),
    patienceMs: 300,
  });
  return [...(await ofProvider), ...(await ofTool)];
}

const found: Record<string, readonly Finding[]> = {};

beforeAll(async () => {
  // They wait more than they work.
  const each = Object.entries(LESSER).map(async ([name, lessen]) => {
    found[name] = await findingsOf(lessen);
  });
  await Promise.all(each);
}, 400_000);

test.each(Object.keys(LESSER))('%s: no promise is broken, by provider or tool', (name) => {
  expect(found[name]?.length).toBeGreaterThan(40);
  expect(broken(found[name] ?? [])).toEqual({});
});
