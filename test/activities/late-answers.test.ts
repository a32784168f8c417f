// Needs nothing.
import { LateAnswers } from '../../src/activities/late-answers';
import type { Outcome } from '../../src/operations/outcome';
import type { PerformSetup } from '../../src/operations/perform';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { FakeSleep, settle } from '../support/fake-sleep';
import { callRef, marked, registered } from '../support/fixtures';
import { CONFIRMED, CONTRACT, LIMITS, outOfReach, WatchedLedger } from '../support/perform-rig';

const mockSleeps = new FakeSleep();
jest.mock('node:timers/promises', () => ({
  setTimeout: (...args: Parameters<FakeSleep['setTimeout']>) => mockSleeps.setTimeout(...args),
}));
afterEach(() => {
  // No timer outlives what it was set for.
  expect(mockSleeps.pending).toBe(0);
});

const REF = { tenant: 'shop', operationId: 'refund-1043-li_2' };
const SETUP: PerformSetup = {
  ...{ operationId: REF.operationId, tool: 'refund_line_item', provider: 'stripe.refunds', purpose: 'send' },
  ...{ generation: 1, intent: '', call: callRef(), contract: CONTRACT, hasQuery: false, keyPrefix: '', limits: LIMITS },
};

async function rig() {
  const ledger = new WatchedLedger(new InMemoryLedger());
  await ledger.inner.save({ ...REF, before: [], events: [registered(), marked()] });
  const lost: unknown[] = [];
  const late = new LateAnswers(ledger, (operationId, error) => lost.push([operationId, error]));
  const keep = (answer: Promise<Outcome>) =>
    late.keep({ tenant: 'shop', setup: SETUP, command: { generation: 1, attempt: 1 }, answer });
  const kinds = async () => (await ledger.inner.load(REF)).events.slice(2).map(({ kind }) => kind);
  return { ledger, late, lost, keep, kinds };
}

describe('drain', () => {
  test('nothing under way → at once', async () => {
    const { late } = await rig();
    await late.drain(60_000);
  });

  test('waits until the answer has come and is recorded', async () => {
    const { late, keep, kinds } = await rig();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    keep(promise);
    let drained = false;
    const draining = late.drain(60_000).then(() => {
      drained = true;
    });
    await mockSleeps.advance(59_999);
    expect(drained).toBe(false);
    resolve(CONFIRMED);
    await draining;
    expect(await kinds()).toEqual(['answered']);
  });

  test('an answer that never comes → no longer than it is told', async () => {
    const { late, keep, kinds } = await rig();
    keep(new Promise(() => undefined));
    const draining = late.drain(60_000);
    await mockSleeps.advance(60_000);
    await draining;
    expect(await kinds()).toEqual([]);
  });

  test('an answer that is lost for good does not fail it', async () => {
    const { ledger, late, lost, keep } = await rig();
    ledger.before('load', ...Array.from({ length: 6 }, () => outOfReach));
    keep(Promise.resolve(CONFIRMED));
    const draining = late.drain(60_000);
    await mockSleeps.advance(51_100);
    await draining;
    expect(lost).toEqual([[REF.operationId, expect.objectContaining({ message: 'The ledger is out of reach.' })]]);
  });
});

test('two late answers of two attempts are both recorded, whichever wins the race', async () => {
  const { late, keep, kinds, ledger } = await rig();
  const other: Outcome = { ...CONFIRMED, externalId: 're_2' } as Outcome;
  keep(Promise.resolve(CONFIRMED));
  keep(Promise.resolve(other));
  await settle();
  await late.drain(1_000);
  expect(await kinds()).toEqual(['answered', 'answered']);
  const { events } = await ledger.inner.load(REF);
  expect(events.flatMap((event) => (event.kind === 'answered' ? [event.outcome] : []))).toEqual([CONFIRMED, other]);
});

test('the same answer kept twice is recorded once', async () => {
  const { late, keep, kinds } = await rig();
  keep(Promise.resolve(CONFIRMED));
  keep(Promise.resolve(CONFIRMED));
  await late.drain(1_000);
  expect(await kinds()).toEqual(['answered']);
});
