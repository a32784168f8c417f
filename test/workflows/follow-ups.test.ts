// Needs Postgres and Temporal.
import { nextTurn } from '../../src/activities/next-turn';
import { checkOperation } from '../../src/client/check-operation';
import type { FollowUpMessage } from '../../src/conversations/follow-ups';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { Script } from '../../src/testing/scripted-model';
import type { OperationTool } from '../../src/tools/tool';
import { wakeSession } from '../../src/wake-session';
import { CountingProvider } from '../support/counting-provider';
import { payOut } from '../support/payout-tools';
import { promptsOf } from '../support/prompts';
import { type Rig, type RigOptions, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const DONE = 'This is done: pay_out, operation payout-anna, number po_1.';

/** Pays when the customer asks for it, and otherwise says a word. */
const agent: Script = ({ said, results }) => {
  const now = results.filter(({ turn }) => turn === said.length);
  if (/^\[This comes from the system/.test(`${said.at(-1)}`)) return { text: 'Anna has her money.' };
  if (now.length > 0) return { text: `${now.at(-1)?.text}` };
  return said.at(-1) === 'Status?'
    ? { calls: [{ tool: 'operation_status', input: { operationId: 'payout-anna' } }] }
    : { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] };
};

/** A session that was told "outcome unknown", of a payout that was made. */
async function untold(
  options: Partial<RigOptions> = {},
): Promise<{ rig: Rig; tool: OperationTool; provider: CountingProvider }> {
  const provider = new CountingProvider();
  provider.treat('anna', 'lose-answer');
  const tool = payOut(provider);
  const rig = await rigs.start({ tools: [tool], model: agent, ...options, worker: false });
  // What earlier tests left would keep a reconciliation at work that this one plays the part of.
  await rig.database.pool.query('update sendonce.operations set due_at = null');
  await rig.database.pool.query('delete from sendonce.outbox');
  await rig.startWorker();
  await rig.say('Pay Anna.');
  await rig.endReconciliation();
  // Its session has looked once more, and found nothing to tell.
  await quiet(rig);
  expect((await rig.operation('payout-anna'))?.state).toBe('unknown');
  return { rig, tool, provider };
}

/** What reconciliation does, too: the provider is asked, and its answer recorded. */
async function findOut(rig: Rig, tool: OperationTool): Promise<void> {
  const ref = { tenant: rig.tenant, operationId: 'payout-anna' };
  await checkOperation(rig.database, ref, [tool]);
  expect((await rig.operation('payout-anna'))?.state).toBe('confirmed');
}

async function wake(rig: Rig): Promise<void> {
  await wakeSession(rig.temporal, {
    ...{ tenant: rig.tenant, sessionId: 'chat-1', taskQueue: rig.taskQueue, maxSteps: 12, searchAttributes: false },
    ledger: await readLedgerId(rig.database),
  });
}

async function ended(rig: Rig, turns: number): Promise<readonly string[]> {
  await until(async () => {
    const all = await rig.transcript();
    return all.length === turns && all.every(({ outcome }) => outcome !== null);
  });
  return (await rig.transcript()).map(({ kind, reply }) => `${kind}: ${reply}`);
}

/** Entries of the outbox for this tenant's sessions. */
async function waiting(rig: Rig): Promise<number> {
  const { rows } = await rig.database.pool.query(
    "select 1 from sendonce.outbox where tenant = $1 and kind = 'settled'",
    [rig.tenant],
  );
  return rows.length;
}

async function quiet(rig: Rig): Promise<void> {
  const handle = rig.temporal.workflow.getHandle(`session/${rig.tenant}/chat-1`);
  await until(async () => (await handle.describe()).status.name === 'COMPLETED');
}

describe('an operation that settles after its turn', () => {
  test('is told by a turn of its own, once, in the model’s words; the model is shown who speaks', async () => {
    const messages: FollowUpMessage[] = [];
    const model = promptsOf(agent);
    const { rig, tool } = await untold({
      recordSessionAs: 'session-follow-up',
      model: model.model,
      deliver: async (message) => {
        messages.push(message);
      },
    });
    await findOut(rig, tool);
    expect(await waiting(rig)).toBe(1);
    await Promise.all([wake(rig), wake(rig), wake(rig)]);
    expect(await ended(rig, 2)).toEqual([
      expect.stringMatching(/^message: Outcome unknown/),
      'follow_up: Anna has her money.',
    ]);
    expect((await rig.transcript())[1]?.message).toBe(DONE);
    expect(model.prompts.at(-1)?.at(-1)).toEqual({
      role: 'user',
      text: expect.stringMatching(
        /^\[This comes from the system, not from the customer\.\] This is done: .* Call no tool/,
      ),
    });
    await until(() => messages.length === 1);
    await wake(rig);
    await quiet(rig);
    expect(messages).toEqual([
      {
        ...{ messageId: `turn/${rig.tenant}/chat-1/2`, tenant: rig.tenant, sessionId: 'chat-1', turn: 2 },
        ...{ customer: 'customer-77', text: 'Anna has her money.' },
      },
    ]);
    expect([await waiting(rig), (await rig.transcript()).length]).toEqual([0, 2]);
  });

  test('looked at by ten at once → one turn', async () => {
    const { rig, tool } = await untold();
    await findOut(rig, tool);
    const parts = { database: rig.database, ledger: new PostgresLedger(rig.database), deliver: null };
    const session = { tenant: rig.tenant, sessionId: 'chat-1' };
    const looks = await Promise.all(Array.from({ length: 10 }, () => nextTurn(parts, session)));
    expect(new Set(looks.map(({ turn }) => turn?.turn))).toEqual(new Set([2]));
    expect(await rig.transcript()).toHaveLength(2);
  });

  test.each(['Pay Anna.', 'Status?'])(
    'and is told by a turn for another message (%s) → no turn of its own',
    async (text) => {
      const { rig, tool, provider } = await untold();
      await findOut(rig, tool);
      const { text: told } = await rig.say(text);
      expect(told).toMatch(/payout-anna/);
      await quiet(rig);
      expect([await waiting(rig), (await rig.transcript()).length, provider.sends.length]).toEqual([0, 2, 1]);
    },
  );

  test('and a turn that read it ends without a word of it → it is told by a turn of its own', async () => {
    const { rig, tool } = await untold({
      maxSteps: 1,
      model: ({ said }) =>
        /^\[This comes/.test(`${said.at(-1)}`)
          ? { text: 'Anna has her money.' }
          : { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] },
    });
    await findOut(rig, tool);
    expect((await rig.say('Pay Anna.')).outcome).toBe('step_limit');
    expect((await ended(rig, 3))[2]).toBe('follow_up: Anna has her money.');
    expect(await waiting(rig)).toBe(0);
  });

  test('and whose turn the model fails in → the customer is told the notice itself', async () => {
    const { rig, tool } = await untold({
      maxSteps: 1,
      model: () => ({ calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }),
    });
    await findOut(rig, tool);
    await wake(rig);
    expect((await ended(rig, 2))[1]).toBe(`follow_up: ${DONE}`);
  });

  test('and is settled no more when it is looked at → nothing is told, and the entry is gone', async () => {
    const { rig } = await untold();
    await rig.database.pool.query(
      `insert into sendonce.outbox (tenant, operation_id, kind, session_id, version, created_at, due_at)
       values ($1, 'payout-anna', 'settled', 'chat-1', 9, sendonce.ledger_now(), sendonce.ledger_now())`,
      [rig.tenant],
    );
    await wake(rig);
    await until(async () => (await waiting(rig)) === 0);
    await quiet(rig);
    expect(await rig.transcript()).toHaveLength(1);
  });
});

describe('the hook deliver', () => {
  test('that fails is asked again under the same ID until it succeeds; turns go on meanwhile', async () => {
    const ids: string[] = [];
    let isOpen = false;
    const { rig, tool } = await untold({
      deliver: async ({ messageId }) => {
        ids.push(messageId);
        if (!isOpen) throw new Error('The mail server is down.');
      },
    });
    await findOut(rig, tool);
    await wake(rig);
    await until(() => ids.length >= 2);
    expect((await rig.say('Status?')).outcome).toBe('answered');
    isOpen = true;
    await quiet(rig);
    expect(new Set(ids)).toEqual(new Set([`turn/${rig.tenant}/chat-1/2`]));
    const tries = ids.length;
    await wake(rig);
    await quiet(rig);
    expect(ids).toHaveLength(tries);
  });

  test('that is not there → what was told is done with, and a hook that comes later gets later messages only', async () => {
    const { rig, tool } = await untold();
    await findOut(rig, tool);
    await wake(rig);
    await ended(rig, 2);
    await quiet(rig);
    const { rows } = await rig.database.pool.query<{ told: boolean }>(
      'select delivered_at is not null as told from sendonce.turns where tenant = $1 order by turn',
      [rig.tenant],
    );
    expect(rows).toEqual([{ told: false }, { told: true }]);
  });
});
