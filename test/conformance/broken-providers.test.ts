// Needs nothing but local ports: stripeRefunds with one defect each, through the kit.
import Stripe from 'stripe';
import type { Outcome } from '../../src/operations/outcome';
import type { Provider } from '../../src/providers/provider';
import { type StripeRefundRequest, stripeRefunds } from '../../src/providers/stripe';
import { checkProvider, type DownstreamAddress, type Finding, fakeStripeDownstream } from '../../src/testing';
import { WEBHOOK_SECRET } from '../support/webhook-posts';

type Refunds = Provider<StripeRefundRequest>;
type Send = Parameters<Refunds['send']>[0];
type Find = NonNullable<Refunds['find']>;

function withSend(provider: Refunds, send: (send: Send) => Promise<Outcome>): Refunds {
  return { ...provider, send };
}

function withFind(provider: Refunds, find: (query: Parameters<Find>[0], real: Find) => ReturnType<Find>): Refunds {
  const { find: real } = provider;
  if (real === undefined) throw new Error('stripeRefunds can be asked.');
  return { ...provider, find: (query) => find(query, real) };
}

function rejected({ receipt }: Outcome): Outcome {
  const message = 'The refund failed.';
  return { kind: 'rejected', covers: 'attempt', code: 'failed', message, externalId: null, receipt };
}

/** Looks at the first page only, and takes that for all there is. */
async function firstPage(url: string, { operationId, request }: Parameters<Find>[0]): ReturnType<Find> {
  const { payment_intent: payment, amount } = Object.fromEntries(new URLSearchParams(request.body));
  const answer = await fetch(`${url}/v1/refunds?payment_intent=${payment}&limit=100`, {
    headers: { Authorization: 'Bearer sk_test_1' },
  });
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
  const { data } = (await answer.json()) as {
    data: { id: string; amount: number; metadata: { op_id?: string; op_key: string } }[];
  };
  const effects = data.flatMap(({ id, amount: found, metadata: { op_id, op_key } }) => {
    const mismatch = String(found) === amount ? null : `its amount is ${found}`;
    return op_id === operationId ? [{ externalId: id, status: 'succeeded' as const, key: op_key, mismatch }] : [];
  });
  return effects.length === 0 ? { kind: 'absent' } : { kind: 'found', effects, complete: true };
}

const BROKEN: Readonly<Record<string, (provider: Refunds, at: DownstreamAddress) => Refunds>> = {
  'sends again by itself': (provider) =>
    withSend(provider, async (send) => {
      const outcome = await provider.send(send);
      return outcome.kind === 'unknown' ? provider.send(send) : outcome;
    }),
  'takes 5xx for a refusal': (provider) =>
    withSend(provider, async (send) => {
      const outcome = await provider.send(send);
      return (outcome.receipt.httpStatus ?? 0) >= 500 ? rejected(outcome) : outcome;
    }),
  'takes a lost answer for a failure': (provider) =>
    withSend(provider, async (send) => {
      const outcome = await provider.send(send);
      return outcome.kind === 'unknown' && outcome.receipt.httpStatus === null ? rejected(outcome) : outcome;
    }),
  'takes any 4xx for a refusal': (provider) =>
    withSend(provider, async (send) => {
      const outcome = await provider.send(send);
      const status = outcome.receipt.httpStatus ?? 0;
      return status >= 400 && status < 500 ? rejected(outcome) : outcome;
    }),
  'looks at its deadline once': (provider) =>
    withSend(provider, ({ deadline, ...send }) => {
      const remaining = deadline.remainingMs();
      return provider.send({ ...send, deadline: { remainingMs: () => remaining } });
    }),
  'believes a stored copy': (provider) =>
    withSend(provider, async (send) => {
      const outcome = await provider.send(send);
      return outcome.kind === 'accepted' ? { ...outcome, kind: 'confirmed' } : outcome;
    }),
  'finds on the first page only': (provider, { url }) => withFind(provider, (query) => firstPage(url, query)),
  'finds whatever the amount': (provider) =>
    withFind(provider, async (query, real) => {
      const evidence = await real(query);
      if (evidence.kind !== 'found') return evidence;
      return { ...evidence, effects: evidence.effects.map((effect) => ({ ...effect, mismatch: null })) };
    }),
  'takes a failed query for an empty one': (provider) =>
    withFind(provider, async (query, real) => {
      const evidence = await real(query).catch(() => null);
      return evidence === null || evidence.kind === 'inconclusive' ? { kind: 'absent' } : evidence;
    }),
};

const found: Record<string, readonly Finding[]> = {};

beforeAll(async () => {
  const each = Object.entries(BROKEN).map(async ([name, damage]) => {
    found[name] = await checkProvider({
      downstream: fakeStripeDownstream(
        (fake) => void fake.addPayment({ id: 'pi_1', amount: 100_000, currency: 'eur' }),
      ),
      provider: (at) => {
        const { host, port, protocol } = at;
        const connect = (config: object) => new Stripe('sk_test_1', { ...config, host, port, protocol });
        return damage(stripeRefunds({ connect, webhookSecret: WEBHOOK_SECRET }), at);
      },
      request: () => ({ paymentIntent: 'pi_1', amount: 10, currency: 'eur' }),
      alter: (request) => ({ ...request, amount: request.amount + 1 }),
      // A page of refunds takes its time, and has nothing to say of sends.
      ...(/find|query/.test(name) && { pageSize: 100 }),
      marksReplays: true,
    });
  });
  await Promise.all(each);
}, 400_000);

test.each<[name: string, broken: Record<string, RegExp>]>([
  [
    'sends again by itself',
    {
      'whatever goes wrong with a send, it is exactly one request: nothing is sent again by itself':
        /^When the connection ended without an answer, 2 requests arrived for one send\. .*Switch the retries off\.$/,
      'a redirect is not followed': /^An HTTP 302 was followed/,
      'no answer → unknown: a lost one is no failure, and no proof that nothing was sent':
        /and the outcome is accepted re_\w+, while re_\w+ exists\. It is unknown\./,
      'an answer that is not the effect → unknown, whatever its status': /It is unknown/,
      '5xx → unknown: the effect may have been made': /It is unknown/,
      'a status alone is no refusal: a page of a gateway is never rejected': /It is unknown/,
    },
  ],
  [
    'takes 5xx for a refusal',
    {
      '5xx → unknown: the effect may have been made':
        /^The effect was made, and the answer was HTTP 500, and the outcome is rejected \(failed: The refund failed\.\), while re_\w+ exists\. It is unknown\. A failure is told of what may have taken effect/,
    },
  ],
  [
    'takes a lost answer for a failure',
    {
      'no answer → unknown: a lost one is no failure, and no proof that nothing was sent':
        /^The effect was made, and the connection ended without an answer, and the outcome is rejected \(failed: The refund failed\.\), while re_\w+ exists\./,
    },
  ],
  [
    'takes any 4xx for a refusal',
    {
      'a status alone is no refusal: a page of a gateway is never rejected':
        /^A page with HTTP 403 came, as from a gateway, and the outcome is rejected/,
    },
  ],
  [
    'looks at its deadline once',
    {
      'a deadline that ends while the connection is made is noticed: it is asked again right before the bytes are written':
        /^The deadline was over when the connection stood, and the request was sent all the same\./,
    },
  ],
  [
    'believes a stored copy',
    {
      'the same request and key again is the same effect, and is answered so':
        /^The answer was a stored copy and says so \(marksReplays\), and the outcome is confirmed re_\w+\./,
    },
  ],
  [
    'finds on the first page only',
    {
      'find reads every page: the first of many is found, and a list that ends early is inconclusive':
        /^re_\w+ was made among 102 effects, and a page has 100: find gave absent\. It does not read every page\.$/,
    },
  ],
  [
    'finds whatever the amount',
    {
      'find takes no effect for ours that differs in what was asked for':
        /^re_\w+ bears our ID and is of another request, and find gave it as matching\./,
    },
  ],
  [
    'takes a failed query for an empty one',
    {
      'a query that fails is inconclusive, and never absent':
        /^The effect exists, the answer to the query was lost, and find gave absent\./,
      'find reads every page: the first of many is found, and a list that ends early is inconclusive':
        /the first page came and the second did not, and find gave absent/,
    },
  ],
])('a provider that %s is caught, and nothing else is said of it', (name, expected) => {
  const broken = (found[name] ?? []).filter((finding) => finding.broken !== null);
  expect(Object.fromEntries(broken.map(({ promise, broken: words }) => [promise, words]))).toEqual(
    Object.fromEntries(Object.entries(expected).map(([promise, words]) => [promise, expect.stringMatching(words)])),
  );
});
