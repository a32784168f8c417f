// Needs Postgres and Temporal.
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { WorkerOptions } from '@temporalio/worker';
import { minutes } from '../../src/operations/time';
import { type Script, scriptedModel } from '../../src/testing/scripted-model';
import { aroundActivity } from '../support/activity-faults';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };

const STOPPED = { outcome: 'cancelled', text: expect.stringMatching(/^This was stopped/) };

/** Cancels the first turn of the session, as an operator does. */
async function cancel(rig: Rig): Promise<void> {
  await rig.temporal.workflow.getHandle(`turn/${rig.tenant}/chat-1/1`).cancel();
}

async function statusOf(rig: Rig): Promise<string> {
  return (await rig.temporal.workflow.getHandle(`turn/${rig.tenant}/chat-1/1`).describe()).status.name;
}

/** What the calls of the first turn told. */
async function told(rig: Rig): Promise<string[]> {
  const [turn] = await rig.transcript();
  return (turn?.steps ?? []).flatMap(({ results }) => results.map(({ reply: { code } }) => code));
}

/** Ends when the cancellation has reached the running call: Temporal brings it with the answer to a heartbeat. */
function noticed(): { readonly cancelled: Promise<void>; readonly workerOptions: Partial<WorkerOptions> } {
  let notice: () => void = () => undefined;
  const cancelled = new Promise<void>((resolve) => {
    notice = resolve;
  });
  const workerOptions = aroundActivity('pay_out', ({ cancellation, run }) => {
    cancellation.addEventListener('abort', notice);
    return run();
  });
  return { cancelled, workerOptions };
}

describe('a turn that is cancelled', () => {
  test('while the model thinks → the model call is broken off, and nothing is planned', async () => {
    const thinking = new Gate();
    const model = scriptedModel(payAnna);
    const listening: LanguageModelV4 = {
      ...model,
      doGenerate: (options) =>
        new Promise((_resolve, reject) => {
          void thinking.pass();
          options.abortSignal?.addEventListener('abort', () => reject(options.abortSignal?.reason));
        }),
    };
    const rig = await rigs.start({
      recordAs: 'cancelled-in-model',
      tools: [payOut(new CountingProvider())],
      model: listening,
    });
    const saying = rig.say('Pay Anna.');
    await thinking.reached;
    await cancel(rig);
    expect(await saying).toMatchObject(STOPPED);
    expect(await statusOf(rig)).toBe('CANCELLED');
    expect(await rig.transcript()).toMatchObject([{ outcome: 'cancelled', steps: [] }]);
    // Shorter than the heartbeat time-out of a model call, which the cancellation does not wait for.
  });

  test('while a model thinks that does not listen → what it then calls is closed and never sent', async () => {
    const provider = new CountingProvider();
    const thinking = new Gate();
    const rig = await rigs.start({
      recordAs: 'cancelled-before-calls',
      tools: [payOut(provider)],
      model: async (view) => {
        await thinking.pass();
        return payAnna(view);
      },
    });
    const saying = rig.say('Pay Anna.');
    await thinking.reached;
    await cancel(rig);
    thinking.open();
    expect(await saying).toMatchObject(STOPPED);
    expect(provider.sends).toEqual([]);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'dropped' });
    expect(await told(rig)).toEqual(['not_submitted']);
  });

  test('before the mark → nothing is sent, the operation is dropped', async () => {
    const provider = new CountingProvider();
    const gate = new Gate();
    let resolved = 0;
    const { cancelled, workerOptions } = noticed();
    const rig = await rigs.start({
      recordAs: 'cancelled-before-mark',
      tools: [payOut(provider, () => (++resolved === 2 ? gate.pass() : undefined))],
      model: payAnna,
      workerOptions,
      // Longer than the test: the cancellation does not wait for the heartbeat time-out.
      limits: { heartbeatWithin: minutes(10) },
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    await cancel(rig);
    await cancelled;
    gate.open();
    expect(await saying).toMatchObject(STOPPED);
    expect(provider.sends).toEqual([]);
    expect(await told(rig)).toEqual(['not_submitted']);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'dropped' });
  });

  test('between mark and answer → it is sent, answered and recorded as ever; the turn alone is cancelled', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const { cancelled, workerOptions } = noticed();
    const rig = await rigs.start({
      recordAs: 'cancelled-after-mark',
      tools: [payOut(provider)],
      model: payAnna,
      workerOptions,
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    await cancel(rig);
    await cancelled;
    gate.open();
    expect(await saying).toMatchObject(STOPPED);
    expect(await statusOf(rig)).toBe('CANCELLED');
    expect(provider.sends).toEqual(['payout-anna']);
    expect(await told(rig)).toEqual(['done']);
    expect((await rig.events('payout-anna')).map(({ kind }) => kind)).toEqual(['registered', 'marked', 'answered']);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed', externalId: 'po_1' });
  });

  test('after the answer, while the model thinks again → the operation stays confirmed', async () => {
    const provider = new CountingProvider();
    const thinking = new Gate();
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: async (view) => {
        if (view.results.length > 0) await thinking.pass();
        return payAnna(view);
      },
    });
    const saying = rig.say('Pay Anna.');
    await thinking.reached;
    await cancel(rig);
    thinking.open();
    expect((await saying).outcome).toMatch(/^(cancelled|answered)$/);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed' });
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('between two tries of what was turned away → closed at once, dropped, not_submitted', async () => {
    const provider = new CountingProvider();
    provider.treat('anna', ...Array.from({ length: 20 }, () => 'turn-away' as const));
    const rig = await rigs.start({
      recordAs: 'cancelled-between-tries',
      tools: [payOut(provider)],
      model: payAnna,
      limits: { notSubmittedAttempts: 20 },
    });
    const saying = rig.say('Pay Anna.');
    await until(async () => (await rig.events('payout-anna')).some(({ kind }) => kind === 'answered'));
    await cancel(rig);
    expect(await saying).toMatchObject(STOPPED);
    expect(await told(rig)).toEqual(['not_submitted']);
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'dropped' });
    expect(provider.sends).toEqual([]);
  });

  test('when it has ended → nothing changes', async () => {
    const rig = await rigs.start({ model: () => ({ text: 'Hello.' }) });
    const reply = await rig.say('Hello.');
    await cancel(rig);
    expect(await statusOf(rig)).toBe('COMPLETED');
    expect(await rig.say('Hello.', { requestKey: 'message-1' })).toEqual(reply);
  });

  test('is part of what the model sees in the next one', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdBeforeSend('anna');
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: (view) => (view.said.length === 1 ? payAnna(view) : { text: view.results.map(({ text }) => text).join() }),
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    await cancel(rig);
    gate.open();
    await saying;
    expect((await rig.say('Was it paid?')).text).toMatch(/^Done: pay_out, operation payout-anna, number po_1/);
  });
});
