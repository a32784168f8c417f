// Needs Postgres and Temporal.
import { randomUUID } from 'node:crypto';
import { milliseconds } from '../../src/operations/time';
import type { Script } from '../../src/testing/scripted-model';
import { aroundActivity } from '../support/activity-faults';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import { eventTypes, scheduledActivities } from '../support/history';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0
    ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
    : { text: results.map(({ text }) => text).join('\n') };

/**
 * Resets the first turn of the session, as an operator does: from its first workflow task or from its last one it
 * begins again as another run, whose activities are counted from attempt 1.
 */
async function reset(rig: Rig, to: 'first' | 'last'): Promise<void> {
  const workflowId = `turn/${rig.tenant}/chat-1/1`;
  const history = await rig.history(workflowId);
  const tasks = (history.events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
  const task = to === 'first' ? tasks[0] : tasks.at(-1);
  await rig.temporal.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
    workflowTaskFinishEventId: task?.eventId ?? null,
    requestId: randomUUID(),
    reason: 'test',
  });
}

async function ended(rig: Rig): Promise<void> {
  const handle = rig.temporal.workflow.getHandle(`turn/${rig.tenant}/chat-1/1`);
  await until(async () => (await handle.describe()).status.name !== 'RUNNING');
}

describe('a turn that is reset', () => {
  test('after its end → the same plan and the same reply: the model is not asked again, nothing is sent again', async () => {
    const provider = new CountingProvider();
    let asked = 0;
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: (view) => {
        asked++;
        return payAnna(view);
      },
    });
    const reply = await rig.say('Pay Anna.', { requestKey: 'key-1' });
    await reset(rig, 'first');
    await ended(rig);
    expect(eventTypes(await rig.history(reply.workflowId)).at(-1)).toBe('WorkflowExecutionCompleted');
    expect(await rig.say('Pay Anna.', { requestKey: 'key-1' })).toEqual(reply);
    expect(asked).toBe(2);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('between mark and answer → the new run joins the attempt that is in flight, and its client hears the end', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const rig = await rigs.start({
      recordAs: 'reset',
      tools: [payOut(provider)],
      model: payAnna,
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    await reset(rig, 'last');
    await until(async () => (await scheduledAgain(rig)) > 0);
    gate.open();
    expect(await saying).toMatchObject({ outcome: 'answered', text: expect.stringMatching(/^Done: pay_out/) });
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('between mark and answer, for longer than a call waits → in_progress, and nothing is sent again', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: payAnna,
      limits: { joinWithin: milliseconds(200) },
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    await reset(rig, 'last');
    expect((await saying).text).toMatch(/^In progress: pay_out, operation payout-anna/);
    gate.open();
    await until(async () => (await rig.operation('payout-anna'))?.state === 'confirmed');
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('whose earlier run had marked a higher attempt → the new run’s attempts stand back until they are level', async () => {
    const provider = new CountingProvider();
    provider.treat('anna', 'turn-away');
    const gate = new Gate();
    const attempts: number[] = [];
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: payAnna,
      workerOptions: aroundActivity('pay_out', ({ attempt, run }) => {
        attempts.push(attempt);
        if (attempts.length === 2) provider.holdAnswer('anna', gate);
        return run();
      }),
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    await reset(rig, 'last');
    await until(() => attempts.length === 4);
    gate.open();
    expect(await saying).toMatchObject({ outcome: 'answered', text: expect.stringMatching(/^Done: pay_out/) });
    expect(attempts).toEqual([1, 2, 1, 2]);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('while a zombie of the earlier run has a higher attempt than the one that sends → the same key, one effect', async () => {
    const provider = new CountingProvider();
    provider.treat('anna', 'turn-away');
    const zombie = new Gate();
    let executions = 0;
    let awake: Promise<unknown> | undefined;
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: payAnna,
      workerOptions: aroundActivity('pay_out', async ({ run }) => {
        if (++executions !== 2) return run();
        await zombie.pass();
        awake = run();
        return awake;
      }),
    });
    const saying = rig.say('Pay Anna.');
    await zombie.reached;
    const sending = provider.holdBeforeSend('anna');
    await reset(rig, 'last');
    await sending.reached;
    zombie.open();
    await until(() => awake !== undefined);
    await awake?.catch(() => undefined);
    sending.open();
    expect(await saying).toMatchObject({ outcome: 'answered', text: expect.stringMatching(/po_1/) });
    expect(provider.effects).toHaveLength(1);
    expect(new Set(provider.sends)).toEqual(new Set(['payout-anna']));
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed', externalId: 'po_1', alarms: [] });
  });
});

/** How many calls the present run has scheduled since its reset. */
async function scheduledAgain(rig: Rig): Promise<number> {
  const history = await rig.history(`turn/${rig.tenant}/chat-1/1`);
  const from = (history.events ?? []).findIndex((event) => event.workflowTaskFailedEventAttributes);
  if (from === -1) return 0;
  const events = (history.events ?? []).slice(from);
  return scheduledActivities({ events }).filter(({ type }) => type === 'pay_out').length;
}
