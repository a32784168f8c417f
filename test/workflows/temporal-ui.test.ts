// Needs Postgres and Temporal.

import { Connection } from '@temporalio/client';
import { workflowMetadataQuery } from '@temporalio/workflow';
import type { Evidence } from '../../src/operations/evidence';
import type { FindQuery } from '../../src/providers/provider';
import { hasSearchAttributes, registerSearchAttributes } from '../../src/search-attributes';
import type { Script } from '../../src/testing/scripted-model';
import { CountingProvider } from '../support/counting-provider';
import { eventTypes, scheduledActivities } from '../support/history';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0
    ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
    : { text: results.map(({ text }) => text).join(' ') };

/** Shows nothing for a while: a first call that a slow machine runs twice is not found out by its second run. */
class LaggingProvider extends CountingProvider {
  lags = true;

  override async find(query: FindQuery): Promise<Evidence> {
    return this.lags ? { kind: 'inconclusive', why: 'It lags behind.' } : super.find(query);
  }
}

/** As Temporal's UI asks for it. */
async function detailsOf(rig: Rig, workflowId: string): Promise<string> {
  const handle = rig.temporal.workflow.getHandle(workflowId);
  return (await handle.query(workflowMetadataQuery)).currentDetails ?? '';
}

async function attributesOf(rig: Rig, workflowId: string): Promise<Readonly<Record<string, unknown>>> {
  return (await rig.temporal.workflow.getHandle(workflowId).describe()).searchAttributes;
}

/** IDs of the workflows that a search finds; the visibility store follows a moment later. */
async function found(rig: Rig, query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of rig.temporal.workflow.list({ query })) ids.push(workflowId);
  return ids;
}

describe('what people see in Temporal’s UI', () => {
  test('a turn names itself; its current details name step, operations and how they stand', async () => {
    const provider = new LaggingProvider();
    provider.treat('anna', 'lose-answer');
    const gate = provider.holdAnswer('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    const workflowId = `turn/${rig.tenant}/chat-1/1`;
    const handle = rig.temporal.workflow.getHandle(workflowId);
    expect(await (await handle.describe()).staticSummary()).toBe('message 1 of customer-77');
    expect(await detailsOf(rig, workflowId)).toBe(
      'Step 1: running pay_out.\n\n**Operations**\n\n- `payout-anna` (pay_out): being carried out',
    );
    gate.open();
    await saying;
    expect(await detailsOf(rig, workflowId)).toBe(
      'The turn has ended: answered.\n\n**Operations**\n\n- `payout-anna` (pay_out): outcome unknown',
    );
  });

  test('activities say what they are about: the step, or the operation', async () => {
    const rig = await rigs.start({ tools: [payOut(new CountingProvider())], model: payAnna });
    const { workflowId } = await rig.say('Pay Anna.');
    const summaries = scheduledActivities(await rig.history(workflowId)).map(({ type, summary }) => [type, summary]);
    expect(summaries).toEqual([
      ['sendonce.callModel', 'step 1'],
      ['pay_out', 'payout-anna'],
      ['sendonce.callModel', 'step 2'],
    ]);
  });

  test('turns of a session are found by it, and an operation that is not settled by its ID', async () => {
    const provider = new LaggingProvider();
    provider.treat('anna', 'lose-answer');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna });
    const { workflowId } = await rig.say('Pay Anna.');
    expect(await attributesOf(rig, workflowId)).toMatchObject({
      SendonceSession: [`${rig.tenant}/chat-1`],
      SendonceOperation: ['payout-anna'],
    });
    // The conversation and its turn.
    const both = [`session/${rig.tenant}/chat-1`, workflowId];
    await until(
      async () => (await found(rig, `SendonceSession = "${rig.tenant}/chat-1"`)).sort().join() === both.join(),
    );
    await until(async () => (await found(rig, 'SendonceOperation = "payout-anna"')).includes(workflowId));
  });

  test('what a later step settles is taken out again; a turn that leaves nothing open sets nothing', async () => {
    const provider = new LaggingProvider();
    provider.treat('anna', 'lose-answer');
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: ({ results }) => {
        provider.lags = results.length === 0;
        return results.length < 2 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };
      },
    });
    const asked = await rig.say('Pay Anna.');
    expect((await attributesOf(rig, asked.workflowId))['SendonceOperation'] ?? []).toEqual([]);
    const history = await rig.history(asked.workflowId);
    const upserts = eventTypes(history).filter((type) => type === 'UpsertWorkflowSearchAttributes');
    expect(upserts).toHaveLength(2);
    const plain = await rig.say('Again.', { sessionId: 'chat-2' });
    expect(eventTypes(await rig.history(plain.workflowId))).not.toContain('UpsertWorkflowSearchAttributes');
  });

  test('of more operations than an attribute holds, those that fit are set, and the turn ends well', async () => {
    const provider = new LaggingProvider();
    const payees = Array.from(
      { length: 30 },
      (_, index) => `payee-${String(index).padStart(3, '0')}-${'x'.repeat(90)}`,
    );
    for (const payee of payees) provider.treat(payee, 'lose-answer');
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: ({ results }) =>
        results.length === 0 ? { calls: payees.map((to) => ({ tool: 'pay_out', input: { to } })) } : { text: 'Asked.' },
    });
    const { workflowId, outcome } = await rig.say('Pay all.');
    expect(outcome).toBe('answered');
    const set = (await attributesOf(rig, workflowId))['SendonceOperation'];
    expect(set).toHaveLength(13);
  });
});

describe('search attributes', () => {
  test('are never needed: on a namespace that lacks them turns run, and set none', async () => {
    const rig = await rigs.start({ model: payAnna, worker: false });
    const namespace = `plain-${rig.tenant}`;
    const connection = await Connection.connect(rig.settings.temporal.connection);
    try {
      await connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
      });
      // A new namespace is known to the server's other parts a moment later.
      await until(() =>
        connection.workflowService.describeNamespace({ namespace }).then(
          () => true,
          () => false,
        ),
      );
      expect(await hasSearchAttributes(connection, namespace)).toBe(false);
      const settings = { ...rig.settings, temporal: { ...rig.settings.temporal, namespace } };
      const client = await rig.connect({ settings });
      const session = client.session({ tenant: rig.tenant, customer: 'customer-77', sessionId: 'chat-plain' });
      const turn = await onceKnown(() => session.start('Hello.', { requestKey: 'key-1' }));
      expect(turn.turn).toBe(1);
      expect(await registerSearchAttributes(connection, namespace)).toEqual(['SendonceSession', 'SendonceOperation']);
      await until(() => hasSearchAttributes(connection, namespace));
      expect(await registerSearchAttributes(connection, namespace)).toEqual([]);
      const missing = `${namespace}-missing`;
      await expect(registerSearchAttributes(connection, missing)).rejects.toMatchObject({
        code: 'SENDONCE_SEARCH_ATTRIBUTES',
        message: expect.stringContaining(
          `temporal operator search-attribute create --namespace ${missing} --name SendonceSession --type Keyword --name SendonceOperation --type KeywordList`,
        ),
      });
    } finally {
      await connection.close();
    }
  });
});

/** Asks until the server knows the namespace everywhere. */
async function onceKnown<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!/amespace/.test(String(error))) throw error;
    }
  }
}
