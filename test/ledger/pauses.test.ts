// Needs Postgres.
import { giveBack } from '../../src/ledger/due-operations';
import { isNameInUse, listPauses, pause, resume } from '../../src/ledger/pauses';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { OperationEvent } from '../../src/operations/event';
import { answered, callRef, marked, RECEIPT, registered } from '../support/fixtures';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const TOOL = { kind: 'tool', name: 'refund_line_item' } as const;
const PROVIDER = { kind: 'provider', name: 'stripe.refunds' } as const;
const ANN = { by: 'ann', note: 'Stripe has an incident.' };
const WAITING: OperationEvent = { kind: 'waiting', generation: 1, call: callRef(), waitsFor: 'resume' };
const UNKNOWN = answered({ kind: 'unknown', why: 'no answer', resend: 'allowed', receipt: RECEIPT });
const DONE = answered({ kind: 'confirmed', externalId: 're_1', receipt: RECEIPT });

let own: TestDatabase;
beforeEach(async () => {
  own = await createTestDatabase();
});
afterEach(() => own.drop());

const save = (operationId: string, ...events: readonly OperationEvent[]) =>
  new PostgresLedger(own.database).save({ tenant: 'shop', operationId, before: [], events });

/** As reconciliation leaves an operation that it has looked at. */
const lookLater = () =>
  own.database.pool.query(
    `update sendonce.operations set due_at = sendonce.ledger_now() + interval '1 hour' where due_at is not null`,
  );

async function dueNow(): Promise<readonly string[]> {
  const { rows } = await own.database.pool.query<{ operation_id: string }>(
    'select operation_id from sendonce.operations where due_at <= sendonce.ledger_now() order by operation_id',
  );
  return rows.map(({ operation_id }) => operation_id);
}

describe('a pause', () => {
  test('is read with every operation from its commit on, until it is resumed', async () => {
    const ledger = new PostgresLedger(own.database);
    const pauses = async () => (await ledger.load({ tenant: 'shop', operationId: 'any' })).pauses;
    expect(await pauses()).toEqual([]);
    await pause(own.database, { ...TOOL, ...ANN });
    expect(await pauses()).toEqual([TOOL]);
    await resume(own.database, TOOL);
    expect(await pauses()).toEqual([]);
  });

  test('that is there stays whose it was', async () => {
    const first = await pause(own.database, { ...TOOL, ...ANN });
    expect(first).toEqual({ pause: { ...TOOL, ...ANN, since: expect.any(Number) }, isNew: true });
    await own.advanceClock(5_000);
    const second = await pause(own.database, { ...TOOL, by: 'bob', note: 'Me too.' });
    expect(second).toEqual({ pause: first.pause, isNew: false });
    expect(await listPauses(own.database)).toEqual([{ ...first.pause, waiting: 0 }]);
  });

  test('of ten people at once is of one of them, and all are told whose', async () => {
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, index) => pause(own.database, { ...TOOL, by: `person ${index}`, note: 'n' })),
    );
    expect(ends.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(ends.map(({ pause: { by } }) => by)).size).toBe(1);
  });

  test('of a tool and one of a provider of the same name are two', async () => {
    await pause(own.database, { ...TOOL, ...ANN });
    await pause(own.database, { kind: 'provider', name: TOOL.name, ...ANN });
    await resume(own.database, TOOL);
    expect(await listPauses(own.database)).toMatchObject([{ kind: 'provider', name: TOOL.name }]);
  });
});

describe('a resume', () => {
  beforeEach(async () => {
    await save('waits', registered(), WAITING);
    await save('unknown', registered(), marked(), UNKNOWN);
    await save('done', registered(), marked(), DONE);
    await save('other', registered({ tool: 'send_letter', provider: 'test.letters' }), WAITING);
    await lookLater();
    expect(await dueNow()).toEqual([]);
  });

  test.each([[TOOL], [PROVIDER]])('of %j makes due what is open of it, and nothing else', async (what) => {
    await pause(own.database, { ...what, ...ANN });
    expect(await listPauses(own.database)).toMatchObject([{ ...what, waiting: 1 }]);
    expect(await resume(own.database, what)).toMatchObject({ resumed: { ...what, ...ANN }, waiting: 1 });
    expect(await dueNow()).toEqual(['unknown', 'waits']);
  });

  test('of what is not paused changes nothing', async () => {
    expect(await resume(own.database, TOOL)).toEqual({ resumed: null, waiting: 0 });
    expect(await dueNow()).toEqual([]);
  });

  test('counts also what was due already', async () => {
    await own.advanceClock(2 * 3_600_000);
    await pause(own.database, { ...TOOL, ...ANN });
    expect(await resume(own.database, TOOL)).toMatchObject({ waiting: 1 });
  });

  test('twice at once ends the pause for one of them', async () => {
    await pause(own.database, { ...TOOL, ...ANN });
    const ends = await Promise.all([resume(own.database, TOOL), resume(own.database, TOOL)]);
    expect(ends.filter(({ resumed }) => resumed !== null)).toHaveLength(1);
  });
});

test('whether a name is in use is read from the latest operations', async () => {
  await save('done', registered(), marked(), DONE);
  expect(await isNameInUse(own.database, TOOL)).toBe(true);
  expect(await isNameInUse(own.database, PROVIDER)).toBe(true);
  expect(await isNameInUse(own.database, { kind: 'tool', name: PROVIDER.name })).toBe(false);
});

test.each([
  ['neither tool nor provider', { ...TOOL, kind: 'tenant', ...ANN }, /^Say what to pause/],
  ['no name', { ...TOOL, name: ' ', ...ANN }, /^Name the tool/],
  ['a name that is no text', { ...TOOL, name: 7, ...ANN }, /^Name the tool/],
  ['a NUL in the name', { ...TOOL, name: 'a\0', ...ANN }, /^Name the tool/],
  ['nobody', { ...TOOL, ...ANN, by: '' }, /^Say who decides/],
  ['no reason', { ...TOOL, ...ANN, note: undefined }, /^Say why/],
])('%s is refused, and nothing is paused', async (_what, given, message) => {
  const refusal = await pause(own.database, given as never).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'SENDONCE_PAUSE_INVALID', message: expect.stringMatching(message) });
  expect(await listPauses(own.database)).toEqual([]);
});

test('people resume while workers give back what they claimed, in any order, and neither stands in the other’s way', async () => {
  const operationIds = Array.from({ length: 200 }, (_, index) => `refund-${String(index).padStart(3, '0')}`);
  for (const operationId of operationIds) await save(operationId, registered(), WAITING);
  const claimed = operationIds.map((operationId) => ({ tenant: 'shop', operationId }));
  for (let round = 0; round < 20; round++) {
    await pause(own.database, { ...TOOL, ...ANN });
    await Promise.all([
      giveBack(own.database, claimed),
      resume(own.database, TOOL),
      giveBack(own.database, claimed.toReversed()),
    ]);
  }
  expect(await dueNow()).toEqual(operationIds);
});
