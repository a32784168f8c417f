import type { FakeStripe, FakeStripeOptions } from '../fake-stripe/fake-stripe';
import { startFakeStripe } from '../fake-stripe/start-fake-stripe';
import type { Downstream } from './downstream';
import { httpDownstream } from './http-downstream';

/**
 * The fake Stripe as a downstream: its own count of refunds, and faults on the way to it. `prepare` adds the payments
 * that are refunded.
 */
export function fakeStripeDownstream(
  prepare: (fake: FakeStripe) => void | Promise<void>,
  options: FakeStripeOptions = {},
): Downstream {
  return httpDownstream({
    start: async () => {
      const fake = await startFakeStripe(options);
      await prepare(fake);
      return {
        url: fake.url,
        effects: () => fake.report('all').effects.map(({ id }) => ({ externalId: id })),
        stop: () => fake.close(),
      };
    },
  });
}
