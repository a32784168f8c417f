// Needs Postgres.
import { findOperations, type OperationFilter } from '../../src/ledger/find-operations';
import type { OperationRef } from '../../src/ledger/ledger';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import { withLooks } from '../../src/ledger/read-looks';
import { readOperation } from '../../src/ledger/read-operation';
import type { OperationEvent } from '../../src/operations/event';
import { minutes } from '../../src/operations/time';
import { answered, callRef, marked, RECEIPT, registered } from '../support/fixtures';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const CONFIRMED = { kind: 'confirmed', externalId: 're_1', receipt: RECEIPT } as const;
const UNKNOWN = { kind: 'unknown', resend: 'allowed', why: 'No answer came.', receipt: RECEIPT } as const;
const MINUTE_MS = 60_000;

let test_: TestDatabase;
let ledger: PostgresLedger;
beforeEach(async () => {
  test_ = await createTestDatabase();
  ledger = new PostgresLedger(test_.database);
});
afterEach(() => test_.drop());

/** Saves an operation; a minute of the ledger's time lies between two of them. */
async function save(operationId: string, events: readonly OperationEvent[], tenant = 'shop'): Promise<void> {
  await ledger.save({ tenant, operationId, before: [], events });
  await test_.advanceClock(MINUTE_MS);
}

/** A mark whose answer may come within the next minute of the ledger's time. */
async function inFlight(): Promise<OperationEvent[]> {
  const { now } = await ledger.load({ tenant: 'shop', operationId: 'none' });
  return [
    registered(),
    marked({ decidedAt: now, sendBy: now + 1_000, arriveBy: now + 2_000, answerBy: now + MINUTE_MS }),
  ];
}

async function ids(filter: OperationFilter = {}): Promise<string[]> {
  return (await findOperations(test_.database, filter)).operations.map(({ operationId }) => operationId);
}

describe('findOperations', () => {
  test('newest first, page after page, each operation once', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await save(id, [registered()]);
    const pages: string[][] = [];
    let after: string | null = null;
    do {
      const { operations, next } = await findOperations(test_.database, { limit: 2, ...(after ? { after } : {}) });
      pages.push(operations.map(({ operationId }) => operationId));
      after = next;
    } while (after !== null);
    expect(pages).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
  });

  test('operations of one moment are on one page each, and what is added meanwhile moves no page', async () => {
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((operationId) =>
        ledger.save({ tenant: 'shop', operationId, before: [], events: [registered()] }),
      ),
    );
    await test_.database.pool.query(
      `update sendonce.operations set created_at = timestamptz '2026-01-01 00:00:00.007Z'`,
    );
    const first = await findOperations(test_.database, { limit: 3 });
    await save('newer', [registered()]);
    const second = await findOperations(test_.database, { limit: 3, after: first.next ?? '' });
    expect([...first.operations, ...second.operations].map(({ operationId }) => operationId)).toEqual([
      'd',
      'c',
      'b',
      'a',
    ]);
    expect(second.next).toBeNull();
  });

  test('tenant, tool, provider, state and age narrow, alone and together', async () => {
    await save('old', [registered(), marked(), answered(UNKNOWN)]);
    await save('other-tool', [registered({ tool: 'send_mail', provider: 'mail' })]);
    await save('other-tenant', [registered()], 'bakery');
    await save('done', [registered(), marked(), answered(CONFIRMED)]);
    expect(await ids({ tenant: 'bakery' })).toEqual(['other-tenant']);
    expect(await ids({ tool: 'send_mail' })).toEqual(['other-tool']);
    expect(await ids({ provider: 'mail' })).toEqual(['other-tool']);
    expect(await ids({ state: 'confirmed' })).toEqual(['done']);
    expect(await ids({ state: ['confirmed', 'unknown'] })).toEqual(['done', 'old']);
    expect(await ids({ olderThan: minutes(3) })).toEqual(['other-tool', 'old']);
    expect(await ids({ olderThan: minutes(3), state: 'registered' })).toEqual(['other-tool']);
    expect(await ids({ tenant: 'nobody' })).toEqual([]);
  });

  test('a submitted operation reads as unknown once its attempt can no longer be answered, listed or alone', async () => {
    const ref = { tenant: 'shop', operationId: 'a' };
    await ledger.save({ ...ref, before: [], events: await inFlight() });
    expect(await ids({ state: 'submitted' })).toEqual(['a']);
    expect((await readOperation(ledger, ref))?.state).toBe('submitted');
    await test_.advanceClock(2 * MINUTE_MS);
    expect(await ids({ state: 'submitted' })).toEqual([]);
    expect(await ids({ state: 'unknown' })).toEqual(['a']);
    expect((await readOperation(ledger, ref))?.state).toBe('unknown');
  });

  test('and it stays unknown where the clock is set back after an event that came later than that', async () => {
    const ref = { tenant: 'shop', operationId: 'a' };
    await ledger.save({ ...ref, before: [], events: await inFlight() });
    await test_.advanceClock(2 * MINUTE_MS);
    const closed = {
      kind: 'closed',
      generation: 1,
      tool: 't',
      provider: 'p',
      call: callRef('chat-2/1/1/0'),
      why: '',
    } as const;
    const { events: before } = await ledger.load(ref);
    await ledger.save({ ...ref, before, events: [closed] });
    await test_.advanceClock(-2 * MINUTE_MS);
    expect(await ids({ state: 'unknown' })).toEqual(['a']);
    expect((await readOperation(ledger, ref))?.state).toBe('unknown');
  });

  test('of several attempts in flight the last to be answered counts', async () => {
    const [first, mark] = await inFlight();
    if (mark?.kind !== 'marked' || !first) throw new Error('Bug: a mark is expected.');
    const later = { ...mark, attempt: 2, answerBy: mark.answerBy + 5 * MINUTE_MS };
    await ledger.save({ tenant: 'shop', operationId: 'a', before: [], events: [first, later, mark] });
    await test_.advanceClock(2 * MINUTE_MS);
    expect(await ids({ state: 'submitted' })).toEqual(['a']);
  });

  test('a row has what its operation has: both readings agree', async () => {
    await save('done', [registered(), marked(), answered(CONFIRMED)]);
    const { operations } = await findOperations(test_.database);
    const folded = await readOperation(ledger, { tenant: 'shop', operationId: 'done' });
    if (folded === null) throw new Error('Bug: it was saved.');
    const { events, ...summary } = await withLooks(test_.database, folded);
    expect(operations).toEqual([summary]);
    expect(events.map(({ kind }) => kind)).toEqual(['registered', 'marked', 'answered']);
    expect(operations[0]).toMatchObject({ state: 'confirmed', externalId: 're_1', resolvedBy: 'answer', version: 3 });
  });

  test('what waits says for what, and reconciliation’s looks are told by both readings', async () => {
    const waiting: OperationEvent = { kind: 'waiting', generation: 1, call: callRef(), waitsFor: 'resume' };
    await save('waits', [registered(), waiting]);
    const looked = new Date('2026-11-30T20:15:00Z');
    await test_.database.pool.query('update sendonce.operations set checks = 3, checked_at = $1, due_at = $1', [
      looked,
    ]);
    const looks = { waitsFor: 'resume', checks: 3, checkedAt: looked.getTime(), dueAt: looked.getTime() };
    expect((await findOperations(test_.database)).operations).toMatchObject([looks]);
    const folded = await readOperation(ledger, { tenant: 'shop', operationId: 'waits' });
    expect(folded && (await withLooks(test_.database, folded))).toMatchObject(looks);
  });

  test('an operation nobody called for is null', async () => {
    expect(await readOperation(ledger, { tenant: 'shop', operationId: 'none' })).toBeNull();
  });

  test.each<[object, string]>([
    [{}, 'The filter tenant is undefined. Give a text.'],
    [{ tenant: 'shop' }, 'The filter operationId is undefined. Give a text.'],
    [{ tenant: 'shop', operationId: 7 }, 'The filter operationId is 7. Give a text.'],
  ])('one operation named by %j → FilterInvalidError', async (ref, message) => {
    await expect(readOperation(ledger, ref as OperationRef)).rejects.toMatchObject({
      code: 'SENDONCE_FILTER_INVALID',
      message,
    });
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ state: 'lost' }, /^The filter state is 'lost'\. Give one of registered, .*, escalated\.$/],
    [{ state: [] }, /^The filter state is \[\]\. Give one of/],
    [{ limit: 0 }, /^The filter limit is 0\. Give a whole number from 1 to 1000\.$/],
    [{ limit: 1.5 }, /^The filter limit is 1\.5\./],
    [{ after: 'x' }, /^The filter after is 'x'\. Give what the page before gave as "next"\.$/],
    [{ after: 7 }, /^The filter after is 7\. Give a text\.$/],
    [
      { tenat: 'shop' },
      /^The filter tenat is 'shop'\. Give one that there is: tenant, tool, provider, state, olderThan, limit, after\.$/,
    ],
    [{ toString: 1 }, /^The filter toString is 1\. Give one that there is/],
    [{ tenant: null }, /^The filter tenant is null\. Give a text\.$/],
    [{ provider: ['stripe'] }, /^The filter provider is \[ 'stripe' \]\. Give a text\.$/],
    [{ after: Buffer.from('["1","a","b"]').toString('base64url') }, /^The filter after is/],
  ])('%j → FilterInvalidError', async (filter, message) => {
    await expect(findOperations(test_.database, filter as OperationFilter)).rejects.toMatchObject({
      code: 'SENDONCE_FILTER_INVALID',
      message: expect.stringMatching(message),
    });
  });

  test.each([
    { state: ['unknown', 'submitted', 'escalated'] as const, index: 'operations_not_settled' },
    { state: undefined, index: 'operations_newest' },
  ])('a page of %j among many comes from an index', async ({ state, index }) => {
    await test_.database.pool.query(`
      insert into sendonce.operations (tenant, operation_id, tool, provider, state, generation, attempts, version, created_at, updated_at)
      select 'shop', 'op-' || n, 'refund', 'stripe', 'confirmed', 1, 1, 3, now() - n * interval '1 second', now()
      from generate_series(1, 20000) n`);
    await test_.database.pool.query('analyze sendonce.operations');
    const plans: string[] = [];
    const query = test_.database.pool.query.bind(test_.database.pool);
    const explaining = Object.assign(Object.create(test_.database.pool), {
      query: async (text: string, values: unknown[]) => {
        const { rows } = await query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return query(text, values);
      },
    });
    await findOperations({ ...test_.database, pool: explaining }, state ? { state } : {});
    expect(plans.join('\n')).toContain(index);
  });
});
