// Needs Postgres and Temporal.
import { setTimeout as sleep } from 'node:timers/promises';
import { readLedgerId } from '../../src/ledger/ledger-id';
import type { Script } from '../../src/testing/scripted-model';
import { wakeReconciliation } from '../../src/wake-reconciliation';
import { reconciliationId } from '../../src/workflows/reconciliation-names';
import { CountingProvider } from '../support/counting-provider';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

/** Pays everybody named once, and never asks again. */
const payOnce: Script = ({ said, results }) =>
  results.length === 0
    ? { calls: said[0]?.split(' ').map((to) => ({ tool: 'pay_out', input: { to } })) ?? [] }
    : { text: 'Said.' };

async function refOf({ database, taskQueue }: Rig) {
  return { ledger: await readLedgerId(database), taskQueue };
}

/** Moves the ledger's clock, and hints. */
async function later(rig: Rig, ms: number): Promise<void> {
  const { pool, schema } = rig.database;
  await pool.query(`update ${schema}.clock set ahead = ahead + $1 * interval '1 millisecond'`, [ms]);
  await wakeReconciliation(rig.temporal, await refOf(rig));
}

async function stateOf(rig: Rig, operationId: string) {
  return (await rig.operation(operationId))?.state;
}

const HOUR = 3_600_000;

test('a ledger that cannot be read for a while ends no reconciliation', async () => {
  const rig = await rigs.start({ tools: [], model: payOnce, recordReconciliationAs: 'reconciliation-trouble' });
  await later(rig, 0);
  const handle = rig.temporal.workflow.getHandle(reconciliationId(await refOf(rig)));
  const { runId } = await handle.describe();
  const { pool, schema } = rig.database;
  await pool.query(`alter table ${schema}.outbox rename to outbox_away`);
  await later(rig, 0);
  await sleep(3_000);
  await pool.query(`alter table ${schema}.outbox_away rename to outbox`);
  const now = await handle.describe();
  expect([now.status.name, now.runId]).toEqual(['RUNNING', runId]);
});

test('operations whose history cannot be read keep no other from being found out', async () => {
  const provider = new CountingProvider();
  const unreadable = ['anna', 'berta', 'carl', 'dora'];
  for (const name of [...unreadable, 'emil']) provider.treat(name, 'lose-answer');
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce, worker: false });
  const worker = await rig.startWorker();
  await rig.say([...unreadable, 'emil'].join(' '));
  await worker.stop();
  const { pool, schema } = rig.database;
  const of = [rig.tenant, unreadable.map((name) => `payout-${name}`)];
  // As those of a later release may be.
  await pool.query(
    `update ${schema}.events set data = '{"kind":"marked"}' where tenant = $1 and operation_id = any ($2) and kind = 'marked'`,
    of,
  );
  // The most overdue, whenever they are due.
  await pool.query(
    `update ${schema}.operations set due_at = due_at - interval '1 second' where tenant = $1 and operation_id = any ($2)`,
    of,
  );
  await rig.startWorker({ reconciliation: { concurrency: 1 } });
  await later(rig, 10_000);
  await until(async () => (await stateOf(rig, 'payout-emil')) === 'confirmed');
  const { rows } = await pool.query<{ checks: number }>(
    `select checks from ${schema}.operations where tenant = $1 and operation_id = any ($2)`,
    of,
  );
  expect(rows.map(({ checks }) => checks)).toEqual([1, 1, 1, 1]);
});

class Successor extends CountingProvider {
  override readonly name = 'testing.successor';
}

test('what a tool made with another provider than it has now is left to workers of that, for a day', async () => {
  const provider = new CountingProvider();
  provider.treat('fritz', 'lose-answer');
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce, worker: false });
  const old = await rig.startWorker();
  await rig.say('fritz');
  await old.stop();
  await rig.startWorker({ tools: [payOut(new Successor())] });
  await later(rig, 60_000);
  await sleep(2_000);
  expect(await stateOf(rig, 'payout-fritz')).toBe('unknown');
  await later(rig, 25 * HOUR);
  await until(async () => (await stateOf(rig, 'payout-fritz')) === 'escalated');
});
