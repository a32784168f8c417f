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

  const due = async (operationId: string) => {
    const { rows } = await test_.database.pool.query(
      `select state, waits_for, checks, round(extract(epoch from due_at - updated_at) * 1000)::int as due
       from sendonce.operations where operation_id = $1`,
      [operationId],
    );
    return rows[0];
  };
  const outbox = async (operationId: string) => {
    const { rows } = await test_.database.pool.query(
      `select kind, session_id, version, round(extract(epoch from due_at - created_at) * 1000)::int as after, tries
       from sendonce.outbox where operation_id = $1 order by kind, session_id`,
      [operationId],
    );
    return rows;
  };
  const UNKNOWN = { kind: 'unknown', why: 'time-out', resend: 'allowed', receipt: RECEIPT } as const;

  test('says when it is due and what it waits for, and counts its looks anew after each save', async () => {
    const ledger = new PostgresLedger(test_.database);
    const ref = { tenant: 'shop', operationId: 'refund-due' };
    const first = registered();
    const waiting = { kind: 'waiting', generation: 1, call: first.call, waitsFor: 'resume' } as const;
    await ledger.save({ ...ref, before: [], events: [first, waiting] });
    expect(await due(ref.operationId)).toEqual({ state: 'registered', waits_for: 'resume', checks: 0, due: 1_000 });
    await test_.database.pool.query('update sendonce.operations set checks = 7');
    const held = await ledger.load(ref);
    await ledger.save({ ...ref, before: held.events, events: [marked()] });
    const { rows } = await test_.database.pool.query(
      "select due_at = timestamptz 'epoch' + $1 * interval '1 millisecond' as is_due from sendonce.operations where operation_id = $2",
      [marked().answerBy + 1, ref.operationId],
    );
    expect(rows[0]).toEqual({ is_due: true });
    const sent = await ledger.load(ref);
    await ledger.save({ ...ref, before: sent.events, events: [answered(UNKNOWN)] });
    expect(await due(ref.operationId)).toEqual({ state: 'unknown', waits_for: null, checks: 0, due: 5_000 });
    const lost = await ledger.load(ref);
    await ledger.save({ ...ref, before: lost.events, events: [answered(CONFIRMED)] });
    expect(await due(ref.operationId)).toEqual({ state: 'confirmed', waits_for: null, checks: 0, due: null });
  });

  test('settles with one message for each session, which a newer settlement replaces; a lost race writes none', async () => {
    const ledger = new PostgresLedger(test_.database);
    const ref = { tenant: 'shop', operationId: 'refund-told' };
    const first = registered();
    const { sessionId } = first.call;
    const other = { ...first.call, callId: 'other/1/1/0', sessionId: 'other' };
    await ledger.save({ ...ref, before: [], events: [first, marked(), answered(UNKNOWN)] });
    const { events: before } = await ledger.load(ref);
    await ledger.save({ ...ref, before, events: [{ kind: 'told', generation: 1, call: other }] });
    expect(await ledger.save({ ...ref, before, events: [answered(CONFIRMED)] })).toBeNull();
    expect(await outbox(ref.operationId)).toEqual([]);

    const told = await ledger.load(ref);
    await ledger.save({
      ...ref,
      before: told.events,
      events: [{ kind: 'escalated', generation: 1, reason: 'No answer.' }],
    });
    const people = { kind: 'escalated', session_id: '', version: 5, after: 0, tries: 0 };
    expect(await outbox(ref.operationId)).toEqual([people]);
    const late = await ledger.load(ref);
    await ledger.save({ ...ref, before: late.events, events: [answered(CONFIRMED)] });
    const rows = [
      { kind: 'settled', session_id: sessionId, version: 6, after: 15_000, tries: 0 },
      { kind: 'settled', session_id: 'other', version: 6, after: 0, tries: 0 },
    ].sort((one, two) => (one.session_id < two.session_id ? -1 : 1));
    expect(await outbox(ref.operationId)).toEqual([people, ...rows]);

    // An alarm after it, and a person's word on that: who was told before is told anew.
    await test_.database.pool.query('update sendonce.outbox set tries = 3');
    const effects = [{ externalId: 're_1', status: 'failed', key: null, mismatch: null }] as const;
    const evidence = { kind: 'found', effects, complete: false } as const;
    const settled = await ledger.load(ref);
    const failed = { kind: 'evidence', source: 'webhook', generation: 1, begunAt: 0, evidence, final: false } as const;
    await ledger.save({ ...ref, before: settled.events, events: [failed] });
    expect((await outbox(ref.operationId))[0]).toEqual({ ...people, version: 7 });
    const alarm = await ledger.load(ref);
    const verdict = { as: 'confirmed', externalId: 're_1' } as const;
    const word = { kind: 'resolved', generation: 1, by: 'ann', note: 'I looked.', sawVersion: 7, verdict } as const;
    await ledger.save({ ...ref, before: alarm.events, events: [word] });
    expect((await outbox(ref.operationId)).slice(1).map(({ version, tries }) => [version, tries])).toEqual([
      [8, 0],
      [8, 0],
    ]);
  });

  test('a read says what is paused', async () => {
    const ledger = new PostgresLedger(test_.database);
    await test_.database.pool.query(
      `insert into sendonce.pauses (kind, name, paused_by, note, created_at)
       values ('tool', 'refund_line_item', 'ann', 'The bank is closed.', now())`,
    );
    const { pauses } = await ledger.load({ tenant: 'shop', operationId: 'refund-none' });
    expect(pauses).toEqual([{ kind: 'tool', name: 'refund_line_item' }]);
    await test_.database.pool.query('delete from sendonce.pauses');
  });
});
