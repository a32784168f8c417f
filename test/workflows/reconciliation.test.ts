// Needs Postgres and Temporal.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { openSession } from '../../src/conversations/sessions';
import { addMessage } from '../../src/conversations/turns';
import { readLedgerId } from '../../src/ledger/ledger-id';
import type { Evidence } from '../../src/operations/evidence';
import type { FindQuery } from '../../src/providers/provider';
import type { Script } from '../../src/testing/scripted-model';
import { wakeReconciliation } from '../../src/wake-reconciliation';
import type { ReconciliationReport, reconciliation } from '../../src/workflows';
import { REPORT_QUERY, reconciliationId } from '../../src/workflows/reconciliation-names';
import { CountingProvider } from '../support/counting-provider';
import { payOut } from '../support/payout-tools';
import { fetchRuns } from '../support/replay';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

/** Pays once, and never asks again. */
const payOnce: Script = ({ said, results }) =>
  results.length === 0
    ? { calls: said[0]?.split(' ').map((to) => ({ tool: 'pay_out', input: { to } })) ?? [] }
    : { text: results.map(({ text }) => text).join('\n') };

/** Moves the ledger's clock, and hints. */
async function later(rig: Rig, ms: number): Promise<void> {
  const { pool, schema } = rig.database;
  await pool.query(`update ${schema}.clock set ahead = ahead + $1 * interval '1 millisecond'`, [ms]);
  await wakeReconciliation(rig.temporal, await refOf(rig));
}

async function refOf({ database, taskQueue }: Rig) {
  return { ledger: await readLedgerId(database), taskQueue };
}

async function stateOf(rig: Rig, operationId: string) {
  return (await rig.operation(operationId))?.state;
}

const HOUR = 3_600_000;

test('an answer that was lost is found by a query, though nobody asks again', async () => {
  const provider = new CountingProvider();
  provider.treat('anna', 'lose-answer');
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce });
  expect((await rig.say('anna')).text).toMatch(/^Outcome unknown/);
  await later(rig, 6_000);
  await until(async () => (await stateOf(rig, 'payout-anna')) === 'confirmed');
  expect((await rig.operation('payout-anna'))?.resolvedBy).toBe('query');
  expect(provider.sends).toEqual(['payout-anna']);
  expect(provider.effects).toHaveLength(1);
});

test('a request that was lost is sent again under its key', async () => {
  const provider = new CountingProvider();
  provider.treat('berta', 'lose-request', 'lose-request');
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce, recordReconciliationAs: 'reconciliation' });
  await rig.say('berta');
  await later(rig, 6_000);
  await until(() => provider.sends.length === 2);
  await later(rig, 20_000);
  await until(async () => (await stateOf(rig, 'payout-berta')) === 'confirmed');
  expect(provider.sends).toEqual(['payout-berta', 'payout-berta', 'payout-berta']);
  expect(provider.effects).toHaveLength(1);
});

test('after the window of the key it goes before a person, once, and nothing is sent', async () => {
  const provider = new CountingProvider();
  provider.treat('carl', 'lose-request');
  const escalated: string[] = [];
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce, worker: false });
  const worker = await rig.startWorker({ onEscalated: ({ key }) => void escalated.push(key) });
  await rig.say('carl');
  await worker.stop();
  const { pool, schema } = rig.database;
  await pool.query(`update ${schema}.clock set ahead = ahead + interval '25 hours'`);
  await rig.startWorker({ onEscalated: ({ key }) => void escalated.push(key) });
  await later(rig, 0);
  await until(() => escalated.length > 0);
  expect(await stateOf(rig, 'payout-carl')).toBe('escalated');
  await later(rig, 7 * HOUR);
  await later(rig, 30 * HOUR);
  expect(escalated).toEqual([expect.stringMatching(new RegExp(`^${rig.tenant}/payout-carl/`))]);
  expect(provider.sends).toEqual(['payout-carl']);
  const handle = rig.temporal.workflow.getHandle(reconciliationId(await refOf(rig)));
  await until(async () => {
    const { open, trouble } = await handle.query<ReconciliationReport>(REPORT_QUERY);
    return open['escalated'] === 1 && trouble === null;
  });
});

/** Gives no answer to queries, and asks to be left alone. */
class SilentProvider extends CountingProvider {
  override readonly name = 'testing.silent';
  looks = 0;
  isSilent = true;
  override async find(query: FindQuery): Promise<Evidence> {
    this.looks++;
    return this.isSilent ? { kind: 'inconclusive', why: 'Too many requests.', retryAfterMs: HOUR } : super.find(query);
  }
}

test('a provider that is down is left alone as long as it asks, and the others are not kept waiting', async () => {
  const silent = new SilentProvider();
  const other = new CountingProvider();
  const names = Array.from({ length: 12 }, (_, index) => `payee-${index}`);
  for (const name of names) silent.treat(name, 'lose-answer');
  for (const name of names) other.treat(name, 'lose-answer');
  const rig = await rigs.start({
    recordReconciliationAs: 'reconciliation-back-off',
    tools: [payOut(other), { ...payOut(silent), name: 'pay_silently' }],
    model: ({ said, results }) =>
      results.length === 0
        ? {
            calls: names.map((to) => ({
              tool: said[0] ?? '',
              input: { to: to + (said[0] === 'pay_out' ? '' : '-s') },
            })),
          }
        : { text: 'Said.' },
  });
  for (const name of names) silent.treat(`${name}-s`, 'lose-answer');
  await rig.say('pay_silently', { sessionId: 'chat-silent' });
  await rig.say('pay_out', { sessionId: 'chat-other' });
  await later(rig, 6_000);
  await until(async () => {
    const states = await Promise.all(names.map((name) => stateOf(rig, `payout-${name}`)));
    return states.every((state) => state === 'confirmed');
  });
  const looks = silent.looks;
  expect(looks).toBeGreaterThan(0);
  // Some of one pass were under way side by side.
  expect(looks).toBeLessThanOrEqual(8);
  const handle = rig.temporal.workflow.getHandle(reconciliationId(await refOf(rig)));
  await until(async () => 'testing.silent' in (await handle.query<ReconciliationReport>(REPORT_QUERY)).backOffs);
  await later(rig, 60_000);
  await later(rig, 600_000);
  expect(silent.looks).toBe(looks);
  silent.isSilent = false;
  await later(rig, HOUR);
  await until(async () => {
    await later(rig, 60_000);
    const states = await Promise.all(names.map((name) => stateOf(rig, `payout-${name}-s`)));
    return states.every((state) => state === 'confirmed');
  });
  expect([silent.effects.length, other.effects.length]).toEqual([12, 12]);
});

test('an operation that cannot be worked on keeps none of the others waiting, nor those to be told', async () => {
  const provider = new CountingProvider();
  const names = ['gabi', 'hans', 'ida'];
  for (const name of names) provider.treat(name, 'lose-answer');
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce });
  await rig.say(names.join(' '));
  const { pool, schema } = rig.database;
  // What no release of ours has written.
  await pool.query(
    `update ${schema}.events set data = '{"kind":"marked"}' where tenant = $1 and operation_id = 'payout-gabi' and kind = 'registered'`,
    [rig.tenant],
  );
  await later(rig, 6_000);
  await until(
    async () =>
      (await stateOf(rig, 'payout-hans')) === 'confirmed' && (await stateOf(rig, 'payout-ida')) === 'confirmed',
  );
  await until(async () => (await rig.transcript()).some(({ reply }) => reply?.includes('payout-ida') === true));
});

test('a message whose wake-up was lost is found by its row', async () => {
  const rig = await rigs.start({ tools: [], model: ({ said }) => ({ text: `Heard: ${said.at(-1)}` }) });
  const session = { tenant: rig.tenant, sessionId: 'chat-lost' };
  await openSession(rig.database, { ...session, customer: 'customer-77', taskQueue: rig.taskQueue, maxSteps: 3 });
  await addMessage(rig.database, { ...session, requestKey: 'key-1', text: 'Is anybody there?' });
  await later(rig, 30_000);
  await later(rig, 31_000);
  await until(async () => (await rig.transcript('chat-lost'))[0]?.reply === 'Heard: Is anybody there?');
});

test('a hook that fails is called again under the same key', async () => {
  const provider = new CountingProvider();
  provider.treat('dora', 'lose-request');
  const called: string[] = [];
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce, worker: false });
  const mute = await rig.startWorker();
  await rig.say('dora');
  await mute.stop();
  await later(rig, 25 * HOUR);
  await rig.startWorker({
    onEscalated: ({ key }) => {
      called.push(key);
      if (called.length < 3) throw new Error('The pager is down.');
    },
  });
  await until(async () => {
    await later(rig, 60_000);
    return called.length === 3;
  });
  await later(rig, HOUR);
  expect(new Set(called).size).toBe(1);
  expect(called).toHaveLength(3);
});

test('what no worker has a tool for any more goes before a person after a day', async () => {
  const provider = new CountingProvider();
  provider.treat('emil', 'lose-request');
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce, worker: false });
  const old = await rig.startWorker();
  await rig.say('emil');
  await old.stop();
  const escalated: string[] = [];
  await rig.startWorker({ tools: [], onEscalated: ({ reason }) => void escalated.push(reason) });
  await later(rig, 20 * HOUR);
  expect(await stateOf(rig, 'payout-emil')).toBe('unknown');
  await later(rig, 6 * HOUR);
  await until(() => escalated.length === 1);
  expect(escalated[0]).toMatch(/^No worker has had its tool pay_out with the provider testing\.payouts for a day/);
  expect(provider.sends).toEqual(['payout-emil']);
});

test('it continues as new and forgets nothing: report and back-offs go on', async () => {
  const provider = new CountingProvider();
  provider.treat('frieda', 'lose-answer');
  const rig = await rigs.start({ tools: [payOut(provider)], model: payOnce, worker: false });
  const ref = await refOf(rig);
  const backOffs = { 'testing.elsewhere': { untilMs: Date.now() + 1_000 * HOUR, failures: 7 } };
  const report = {
    passes: 41,
    looks: 40,
    open: {},
    untold: 0,
    lastPassAt: null,
    nextDueAt: null,
    backOffs,
    trouble: null,
  };
  // The client has begun one, or is about to.
  await until(async () => {
    await rig.endReconciliation();
    return rig.temporal.workflow
      .start<typeof reconciliation>('reconciliation', {
        workflowId: reconciliationId(ref),
        taskQueue: rig.taskQueue,
        args: [{ ledger: ref.ledger, passesPerRun: 2, report }],
      })
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
          throw error;
        },
      );
  });
  await rig.startWorker();
  await rig.say('frieda');
  await later(rig, 6_000);
  await until(async () => (await stateOf(rig, 'payout-frieda')) === 'confirmed');
  await until(async () => {
    await later(rig, 0);
    return (await fetchRuns(rig.temporal, reconciliationId(ref))).length > 3;
  });
  const now = await rig.temporal.workflow.getHandle(reconciliationId(ref)).query<ReconciliationReport>(REPORT_QUERY);
  expect(now.passes).toBeGreaterThan(41);
  expect(now).toMatchObject({ backOffs, trouble: null });
  expect(provider.effects).toHaveLength(1);
});
