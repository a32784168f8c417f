// Needs Postgres and Temporal.
import { setTimeout as sleep } from 'node:timers/promises';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { wakeReconciliation } from '../../src/wake-reconciliation';
import { reconciliationId } from '../../src/workflows/reconciliation-names';
import { turnRigs } from '../support/turn-rig';

const rigs = turnRigs();

test('a ledger that cannot be read for a while ends no reconciliation', async () => {
  const rig = await rigs.start({ tools: [], model: () => ({ text: 'Said.' }) });
  const { pool, schema } = rig.database;
  const ref = { ledger: await readLedgerId(rig.database), taskQueue: rig.taskQueue };
  await wakeReconciliation(rig.temporal, ref);
  const handle = rig.temporal.workflow.getHandle(reconciliationId(ref));
  const { runId } = await handle.describe();
  await pool.query(`alter table ${schema}.outbox rename to outbox_away`);
  await wakeReconciliation(rig.temporal, ref);
  await sleep(3_000);
  await pool.query(`alter table ${schema}.outbox_away rename to outbox`);
  const now = await handle.describe();
  expect([now.status.name, now.runId]).toEqual(['RUNNING', runId]);
}, 30_000);
