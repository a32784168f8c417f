// Needs Postgres.
import { moveClock, readClockAhead } from '../../src/ledger/move-clock';
import { hours, milliseconds, minutes } from '../../src/operations/time';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let opened: TestDatabase;
beforeEach(async () => {
  opened = await createTestDatabase();
});
afterEach(() => opened.drop());

async function ledgerNow(): Promise<number> {
  const { rows } = await opened.database.pool.query<{ now: number }>(
    'select (extract(epoch from sendonce.ledger_now()) * 1000)::float8 as now',
  );
  return rows[0]?.now ?? Number.NaN;
}

describe('the ledger’s clock', () => {
  test('goes with its server’s until somebody moves it', async () => {
    expect(await readClockAhead(opened.database)).toBe(0);
    expect(Math.abs((await ledgerNow()) - Date.now())).toBeLessThan(5_000);
  });

  test('moves add up, to the millisecond, and are told', async () => {
    const before = await ledgerNow();
    expect(await moveClock(opened.database, hours(25))).toBe(hours(25));
    expect(await moveClock(opened.database, milliseconds(1_501))).toBe(hours(25) + 1_501);
    expect(await readClockAhead(opened.database)).toBe(hours(25) + 1_501);
    expect((await ledgerNow()) - before).toBeGreaterThanOrEqual(hours(25) + 1_501);
    expect((await ledgerNow()) - before).toBeLessThan(hours(25) + minutes(1));
  });

  test('two movers at once → both moves count', async () => {
    await Promise.all([moveClock(opened.database, hours(1)), moveClock(opened.database, hours(2))]);
    expect(await readClockAhead(opened.database)).toBe(hours(3));
  });
});
