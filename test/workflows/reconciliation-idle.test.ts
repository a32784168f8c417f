// Needs Postgres and time skipping.
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { hours } from '../../src/operations/time';
import { reconciliationId } from '../../src/workflows/reconciliation-names';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs({ timeSkipping: true });

/** A statement outside of a transaction is one. */
async function transactions({ database }: Rig): Promise<number> {
  // The server counts them a moment later.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await database.pool.query<{ count: number }>(
    'select xact_commit::int as count from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.count ?? 0;
}

test('an idle hour costs 120 statements, and 6 events of the history each', async () => {
  const rig = await rigs.start({ tools: [], model: () => ({ text: 'Hello.' }) });
  const { connection } = rig.temporal;
  if (!(connection instanceof Connection) || !connection.testService) throw new Error('It needs time skipping.');
  const ref = { ledger: await readLedgerId(rig.database), taskQueue: rig.taskQueue };
  const reconciliation = rig.temporal.workflow.getHandle(reconciliationId(ref));
  const events = async () => (await reconciliation.describe()).historyLength;
  await until(async () => (await events()) > 5);
  const before = { events: await events(), transactions: await transactions(rig) };
  // The ledger's clock stays, so nothing becomes due.
  await connection.testService.unlockTimeSkippingWithSleep({ duration: msToTs(hours(1)) });
  const after = { events: await events(), transactions: await transactions(rig) };
  const passes = 120;
  expect(Math.abs(after.events - before.events - 6 * passes)).toBeLessThanOrEqual(12);
  // Those of this test and of the server's own vacuum are among them, and some are counted a moment later.
  expect(after.transactions - before.transactions).toBeLessThanOrEqual(passes + 60);
  expect(after.transactions - before.transactions).toBeGreaterThanOrEqual(passes - 20);
});
