// Needs Postgres and Temporal.
import { Client, Connection } from '@temporalio/client';
import { openSession } from '../../src/conversations/sessions';
import { addMessage } from '../../src/conversations/turns';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { scriptedModel } from '../../src/testing/scripted-model';
import { wakeSession } from '../../src/wake-session';
import { startWorker } from '../../src/worker';
import { quietTemporal } from '../support/quiet-temporal';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';
import { workflowBundle } from '../support/workflow-bundle';

/** SENDONCE_LOAD_SESSIONS=1000 takes some minutes. */
const SESSIONS = Number(process.env['SENDONCE_LOAD_SESSIONS'] ?? 24);
const MESSAGES = 3;
const TASK_QUEUE = `many-${process.pid}`;
const TENANT = `many-${process.pid}`;

let own: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  quietTemporal();
  own = await createTestDatabase();
  connection = await Connection.connect({ address: process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'] ?? '' });
});
afterAll(async () => {
  await connection.close();
  await own.drop();
});

test(
  'messages of many sessions, each said twice, with continue-as-new after two turns: none lost, none twice, all in order',
  async () => {
    const asked = new Map<string, number>();
    const address = process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'] ?? '';
    const worker = await startWorker({
      settings: {
        database: { url: own.url, poolSize: 10 },
        temporal: { connection: { address }, namespace: 'default' },
      },
      taskQueue: TASK_QUEUE,
      tools: [],
      model: scriptedModel(({ said }) => {
        const text = `${said.at(-1)}`;
        asked.set(text, (asked.get(text) ?? 0) + 1);
        return { text };
      }),
      workerOptions: { workflowBundle: await workflowBundle(), shutdownForceTime: '20s' },
    });
    const { database } = own;
    const ledger = await readLedgerId(database);
    const temporal = new Client({ connection });
    const say = async (sessionId: string, index: number) => {
      const session = { tenant: TENANT, sessionId };
      const text = `${sessionId}:${index}`;
      await openSession(database, { ...session, customer: 'customer-77', taskQueue: TASK_QUEUE, maxSteps: 3 });
      await addMessage(database, { ...session, requestKey: `key-${index}`, text });
      const input = { ...session, ledger, taskQueue: TASK_QUEUE, maxSteps: 3, searchAttributes: false };
      await wakeSession(temporal, { ...input, turnsPerRun: 2 });
    };
    const ids = Array.from({ length: SESSIONS }, (_, index) => `chat-${index}`);
    const queue = Array.from({ length: 2 * MESSAGES }, (_, each) => ids.map((id) => [id, each >> 1] as const)).flat();
    const speaker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await say(...next);
    };
    await Promise.all(Array.from({ length: 20 }, speaker));
    await until(async () => {
      const { rows } = await database.pool.query<{ open: number }>(
        `select count(*)::int as open from ${database.schema}.turns where outcome is null`,
      );
      return rows[0]?.open === 0;
    });
    const { rows } = await database.pool.query<{ sessionId: string; replies: string[] }>(
      `select session_id as "sessionId", json_agg(reply order by turn) as replies from ${database.schema}.turns group by 1`,
    );
    expect(rows).toHaveLength(SESSIONS);
    const inOrder = (id: string) => Array.from({ length: MESSAGES }, (_, index) => `${id}:${index}`);
    expect(rows.filter(({ sessionId, replies }) => replies.join() !== inOrder(sessionId).join())).toEqual([]);
    expect([...asked.values()].filter((times) => times !== 1)).toEqual([]);
    expect(asked.size).toBe(SESSIONS * MESSAGES);
    await worker.stop();
  },
  60_000 + SESSIONS * 1_500,
);
