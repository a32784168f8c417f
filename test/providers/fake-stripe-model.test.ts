// Needs nothing: the fake Stripe over loopback, under random histories.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import type { Fault } from '../../src/testing/fake-stripe/fault';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';

const HOUR_MS = 3_600_000;
const PAYMENT = 1_000;

const faults: (Fault | null)[] = [
  null,
  null,
  { route: 'create', kind: 'drop-request' },
  { route: 'create', kind: 'drop-answer' },
  { route: 'create', kind: 'drop-answer', how: 'reset' },
  { route: 'create', kind: 'cut-body' },
  { route: 'create', kind: 'server-error', effect: true },
  { route: 'create', kind: 'server-error', effect: false },
  { route: 'create', kind: 'status', status: 502, body: '', effect: true },
  { route: 'create', kind: 'status', status: 429, body: '{}' },
];

const sendStep = fc.record({
  kind: fc.constant('send' as const),
  keys: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
  amount: fc.constantFrom(0, 100, 300, 1_100),
  fault: fc.constantFrom(...faults),
});
const step = fc.oneof(
  { weight: 4, arbitrary: sendStep },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hours' as const), hours: fc.constantFrom(1, 11, 24) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), nth: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('by-hand' as const), amount: fc.constantFrom(50, 900) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

test('whatever happens: one refund a key in 24 hours, never more than the payment, each send counted, nothing lost by a restart', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'fake-stripe-'));
      const open = () => startFakeStripe({ journalFile: join(folder, 'journal'), executionMs: 1 });
      let fake = await open();
      fake.addPayment({ id: 'pi_1', amount: PAYMENT, currency: 'usd' });
      let sent = 0;
      try {
        for (const next of steps) {
          if (next.kind === 'send') {
            if (next.fault !== null) fake.arm(next.fault);
            sent += next.keys.length;
            await Promise.allSettled(next.keys.map((key) => post(fake, key, next.amount)));
            fake.disarmAll();
          } else if (next.kind === 'hours') {
            fake.advanceClock(next.hours * HOUR_MS);
          } else if (next.kind === 'restart') {
            const before = fake.report('all');
            await fake.close();
            fake = await open();
            expect(fake.report('all')).toEqual(before);
          } else {
            ignoreRefusal(() => {
              if (next.kind === 'by-hand') fake.refundByHand({ payment: 'pi_1', amount: next.amount });
              else fake.settle(fake.report('all').effects[next.nth]?.id ?? 're_none', 'failed');
            });
          }
          check(fake, sent);
        }
      } finally {
        await fake.close();
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 60 },
  );
});

function check(fake: FakeStripe, sent: number): void {
  const { effects, sends } = fake.report('all');
  expect(sends).toHaveLength(sent);
  expect(sends.filter((send) => send.refund !== null)).toHaveLength(effects.filter((effect) => !effect.byHand).length);
  const kept = effects.filter((effect) => effect.status !== 'failed');
  expect(kept.reduce((sum, effect) => sum + effect.amount, 0)).toBeLessThanOrEqual(PAYMENT);
  for (const key of ['a', 'b', 'c']) {
    const made = effects.filter((effect) => effect.key === key).map((effect) => effect.at);
    // A key's age counts from the start of its first request, which is a moment before the refund.
    for (let n = 1; n < made.length; n++) expect((made[n] ?? 0) - (made[n - 1] ?? 0)).toBeGreaterThan(23.9 * HOUR_MS);
  }
}

async function post(fake: FakeStripe, key: string, amount: number): Promise<void> {
  const response = await fetch(`${fake.url}/v1/refunds`, {
    method: 'POST',
    body: `payment_intent=pi_1&amount=${amount}`,
    headers: {
      Authorization: 'Bearer sk_test_fake',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Idempotency-Key': key,
    },
  });
  await response.text();
}

function ignoreRefusal(act: () => void): void {
  try {
    act();
  } catch {
    // Already refunded, already failed, or not there: the history goes on.
  }
}
