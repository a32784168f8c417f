// Needs Postgres.
import { type Ledger, ledgerRead } from '../../src/ledger/ledger';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { answered, marked, RECEIPT, registered } from '../support/fixtures';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

/** What every ledger promises. One suite over all of them. */
interface LedgerUnderTest {
  readonly name: string;
  open(): Promise<{ ledger: Ledger; advance(ms: number): Promise<void>; close(): Promise<void> }>;
}

const LEDGERS: readonly LedgerUnderTest[] = [
  {
    name: 'the in-memory ledger',
    open: async () => {
      const ledger = new InMemoryLedger();
      return { ledger, advance: async (ms) => ledger.advance(ms), close: async () => undefined };
    },
  },
  {
    name: 'the Postgres ledger',
    open: async () => {
      const test = await createTestDatabase();
      return { ledger: new PostgresLedger(test.database), advance: test.advanceClock, close: test.drop };
    },
  },
];

const CONFIRMED = { kind: 'confirmed', externalId: 're_1', receipt: RECEIPT } as const;

describe.each(LEDGERS)('$name', ({ open }) => {
  let ledger: Ledger;
  let advance: (ms: number) => Promise<void>;
  let close: () => Promise<void>;
  let operationId = '';
  let count = 0;
  const ref = () => ({ tenant: 'shop', operationId });

  beforeAll(async () => {
    ({ ledger, advance, close } = await open());
  });
  afterAll(() => close());
  beforeEach(() => {
    operationId = `refund-${++count}`;
  });

  test('an operation nobody called for has no events', async () => {
    const read = await ledger.load(ref());
    expect(read.events).toEqual([]);
    expect(read.now).toBeGreaterThan(0);
  });

  test('what is saved is read back in order, numbered without gaps, with the time of its save', async () => {
    const first = await ledger.save({ ...ref(), before: [], events: [registered(), marked()] });
    const { events: before } = await ledger.load(ref());
    const second = await ledger.save({ ...ref(), before, events: [answered(CONFIRMED)] });
    const { events } = await ledger.load(ref());
    expect(events).toEqual([
      { ...registered(), seq: 1, at: first?.at },
      { ...marked(), seq: 2, at: first?.at },
      { ...answered(CONFIRMED), seq: 3, at: second?.at },
    ]);
  });

  test('of two first saves one wins, the other writes nothing', async () => {
    const results = await Promise.all([
      ledger.save({ ...ref(), before: [], events: [registered({ intent: '1' }), marked()] }),
      ledger.save({ ...ref(), before: [], events: [registered({ intent: '2' })] }),
    ]);
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    const { events } = await ledger.load(ref());
    expect(events).toHaveLength(results[0] === null ? 1 : 2);
  });

  test('of 20 saves on one version exactly one wins, and nothing of the others is written', async () => {
    await ledger.save({ ...ref(), before: [], events: [registered(), marked()] });
    const { events: before } = await ledger.load(ref());
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ledger.save({ ...ref(), before, events: [marked({ attempt: index + 2 }), answered(CONFIRMED)] }),
      ),
    );
    const winner = results.findIndex((result) => result !== null);
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    const { events } = await ledger.load(ref());
    expect(events).toHaveLength(4);
    expect(events[2]).toMatchObject({ kind: 'marked', attempt: winner + 2 });
  });

  test('writers that reload after a lost race all get through, without gaps and without loss', async () => {
    await ledger.save({ ...ref(), before: [], events: [registered()] });
    const writers = Array.from({ length: 12 }, async (_, index) => {
      for (;;) {
        const { events } = await ledger.load(ref());
        const event = marked({ attempt: index + 1 });
        if ((await ledger.save({ ...ref(), before: events, events: [event] })) !== null) return;
      }
    });
    await Promise.all(writers);
    const { events } = await ledger.load(ref());
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
    const attempts = events.flatMap((event) => (event.kind === 'marked' ? [event.attempt] : []));
    expect(attempts.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  test('a version that never was is a lost race', async () => {
    await ledger.save({ ...ref(), before: [], events: [registered()] });
    const { events } = await ledger.load(ref());
    const ahead = [...events, ...events];
    expect(await ledger.save({ ...ref(), before: ahead, events: [marked()] })).toBeNull();
    expect((await ledger.load(ref())).events).toHaveLength(1);
  });

  test('tenants do not see each other’s operations', async () => {
    await ledger.save({ ...ref(), before: [], events: [registered()] });
    expect((await ledger.load({ tenant: 'other', operationId })).events).toEqual([]);
    expect(await ledger.save({ tenant: 'other', operationId, before: [], events: [registered()] })).not.toBeNull();
  });

  test.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\uD800b'],
    ['a BOM, an emoji and a backslash', '\uFEFF🙂\\u0000'],
    ['a megabyte', 'x'.repeat(1_000_000)],
  ])('an answer with %s is kept to the letter', async (_what, detail) => {
    const outcome = { kind: 'unknown', why: detail, resend: 'allowed', receipt: { ...RECEIPT, detail } } as const;
    await ledger.save({ ...ref(), before: [], events: [registered(), marked(), answered(outcome)] });
    const { events } = await ledger.load(ref());
    expect(events[2]).toMatchObject({ outcome });
  });

  test('the clock is the ledger’s: moved ahead, reads and saves are later by that', async () => {
    const { now: before } = await ledger.load(ref());
    await advance(3_600_000);
    const { now } = await ledger.load(ref());
    const saved = await ledger.save({ ...ref(), before: [], events: [registered()] });
    expect(now - before).toBeGreaterThanOrEqual(3_600_000);
    expect(now - before).toBeLessThan(3_660_000);
    expect(saved?.at).toBeGreaterThanOrEqual(now);
  });

  test('a clock that is set back stands still for an operation until it has caught up', async () => {
    const saved = await ledger.save({ ...ref(), before: [], events: [registered()] });
    await advance(-60_000);
    expect((await ledger.load(ref())).now).toBe(saved?.at);
    await advance(60_000);
  });

  test('and one more event, written meanwhile, carries no earlier time and takes nothing of that back', async () => {
    const saved = await ledger.save({ ...ref(), before: [], events: [registered(), marked()] });
    const { events: before } = await ledger.load(ref());
    await advance(-86_400_000);
    const later = await ledger.save({ ...ref(), before, events: [answered(CONFIRMED)] });
    expect(later?.at).toBe(saved?.at);
    const { now, events } = await ledger.load(ref());
    expect(now).toBe(saved?.at);
    expect(events.map(({ at }) => at)).toEqual([saved?.at, saved?.at, saved?.at]);
    await advance(86_400_000);
  });
});

test('a read is never before any event, also where an older release wrote a later one with an earlier time', () => {
  const event = (seq: number, at: number) => ({ kind: 'dropped', generation: 1, why: '', seq, at }) as const;
  const events = [event(1, 1_000), event(2, 90_000), event(3, 2_000)];
  expect(ledgerRead(3_000, events)).toEqual({ now: 90_000, events, pauses: [] });
  expect(ledgerRead(100_000, events).now).toBe(100_000);
  expect(ledgerRead(3_000, []).now).toBe(3_000);
});

describe('the row of an operation', () => {
  let test_: TestDatabase;
  beforeAll(async () => {
    test_ = await createTestDatabase();
  });
  afterAll(() => test_.drop());

  test('is the fold of its events after every save', async () => {
    const ledger = new PostgresLedger(test_.database);
    const ref = { tenant: 'shop', operationId: 'refund-1043-li_2' };
    await ledger.save({ ...ref, before: [], events: [registered(), marked()] });
    const row = async () => (await test_.database.pool.query('select * from sendonce.operations')).rows[0];
    expect(await row()).toMatchObject({ state: 'submitted', version: 2, attempts: 1, key: 'refund-1043-li_2' });
    const { events: before } = await ledger.load(ref);
    await ledger.save({ ...ref, before, events: [answered(CONFIRMED)] });
    expect(await row()).toMatchObject({
      ...{ state: 'confirmed', external_id: 're_1', resolved_by: 'answer', version: 3, generation: 1 },
      ...{ tool: 'refund_line_item', provider: 'stripe.refunds', reason: null },
    });
  });

  test('takes reasons that Postgres’ text cannot hold', async () => {
    const ledger = new PostgresLedger(test_.database);
    const outcome = { kind: 'unknown', why: 'a\0b\uD800', resend: 'allowed', receipt: RECEIPT } as const;
    const ref = { tenant: 'shop', operationId: 'refund-odd' };
    await ledger.save({ ...ref, before: [], events: [registered(), marked(), answered(outcome)] });
    const { rows } = await test_.database.pool.query('select reason from sendonce.operations where operation_id = $1', [
      ref.operationId,
    ]);
    expect(rows[0]).toEqual({ reason: 'a\uFFFDb\uFFFD' });
  });
});
