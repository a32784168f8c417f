// Needs Postgres and Temporal.
import type { Script } from '../../src/testing/scripted-model';
import { aroundActivity } from '../support/activity-faults';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import { payOut } from '../support/payout-tools';
import { turnRigs } from '../support/turn-rig';

const rigs = turnRigs();

const payAnna: Script = ({ results }) =>
  results.length === 0
    ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] }
    : { text: results.map(({ text }) => text).join('\n') };

describe('a worker that is stopped', () => {
  test('between mark and answer → stops when the answer is recorded; the next worker goes on, nothing is sent again', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna, worker: false });
    const worker = await rig.startWorker();
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    const stopped = worker.stop();
    gate.open();
    await stopped;
    expect((await rig.events('payout-anna')).map(({ kind }) => kind)).toEqual(['registered', 'marked', 'answered']);
    await rig.startWorker();
    expect((await saying).text).toMatch(/^Done: pay_out, operation payout-anna, number po_1/);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('between mark and answer, its patience over → the answer is waited for all the same', async () => {
    const provider = new CountingProvider();
    const gate = provider.holdAnswer('anna');
    const cutOff = new Gate();
    const rig = await rigs.start({ tools: [payOut(provider)], model: payAnna, worker: false });
    const worker = await rig.startWorker({
      workerOptions: {
        shutdownGraceTime: '1ms',
        ...aroundActivity('pay_out', ({ cancellation, run }) => {
          cancellation.addEventListener('abort', () => void cutOff.pass());
          return run();
        }),
      },
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    const stopped = worker.stop();
    await cutOff.reached;
    gate.open();
    await stopped;
    expect(await rig.operation('payout-anna')).toMatchObject({ state: 'confirmed' });
    await rig.startWorker();
    expect((await saying).text).toMatch(/^(Done|Already done): pay_out, operation payout-anna, number po_1/);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('before the mark, its patience over → nothing was sent; the next worker sends once', async () => {
    const provider = new CountingProvider();
    const gate = new Gate();
    const cutOff = new Gate();
    let resolved = 0;
    const rig = await rigs.start({
      tools: [payOut(provider, () => (++resolved === 2 ? gate.pass() : undefined))],
      model: payAnna,
      worker: false,
    });
    const worker = await rig.startWorker({
      workerOptions: {
        shutdownGraceTime: '1ms',
        ...aroundActivity('pay_out', ({ cancellation, run }) => {
          cancellation.addEventListener('abort', () => void cutOff.pass());
          return run();
        }),
      },
    });
    const saying = rig.say('Pay Anna.');
    await gate.reached;
    const stopped = worker.stop();
    await cutOff.reached;
    gate.open();
    await stopped;
    expect(await rig.events('payout-anna')).toEqual([]);
    await rig.startWorker();
    expect((await saying).text).toMatch(/^Done: pay_out, operation payout-anna, number po_1/);
    const operation = await rig.operation('payout-anna');
    expect(operation?.current.attempts.map(({ call }) => call.activityAttempt)).toEqual([2]);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('after an answer was lost, while the model thinks → the next worker’s model asks again, and hears that it is done', async () => {
    const provider = new CountingProvider();
    provider.treat('anna', 'lose-answer');
    const thinking = new Gate();
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: async ({ results }) => {
        if (results.length === 1) await thinking.pass();
        return results.length < 2
          ? { calls: [{ tool: 'pay_out', input: { to: 'anna', note: `try ${results.length}` } }] }
          : { text: results.map(({ text }) => text).join('\n') };
      },
      worker: false,
    });
    const worker = await rig.startWorker({ workerOptions: { shutdownGraceTime: '1ms' } });
    const saying = rig.say('Pay Anna.');
    await thinking.reached;
    const stopped = worker.stop();
    thinking.open();
    await stopped;
    await rig.startWorker();
    expect((await saying).text).toMatch(/^Outcome unknown: .*\nAlready done: pay_out, .* number po_1/);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('while the model thinks, its patience over → the next worker asks again, and the first answer counts', async () => {
    const thinking = new Gate();
    let asked = 0;
    const rig = await rigs.start({
      model: async () => {
        asked++;
        if (asked === 1) await thinking.pass();
        return { text: `Answer ${asked}.` };
      },
      worker: false,
    });
    const worker = await rig.startWorker({ workerOptions: { shutdownGraceTime: '1ms' } });
    const saying = rig.say('Hello.');
    await thinking.reached;
    const stopped = worker.stop();
    await rig.startWorker();
    thinking.open();
    await stopped;
    expect(await saying).toMatchObject({ outcome: 'answered' });
    expect(await rig.transcript()).toMatchObject([{ steps: [{ step: 1 }] }]);
  });

  test('is asked to stop twice → stops once', async () => {
    const rig = await rigs.start({ model: () => ({ text: '' }), worker: false });
    const worker = await rig.startWorker();
    await Promise.all([worker.stop(), worker.stop()]);
    await worker.stop();
  });

  test('again and again, the next one starting meanwhile → every turn is answered, every payout is made once', async () => {
    const provider = new CountingProvider();
    const payees = Array.from({ length: 6 }, (_, index) => `payee-${index}`);
    const rig = await rigs.start({
      tools: [payOut(provider)],
      model: ({ said, results }) =>
        results.length === 0
          ? { calls: [{ tool: 'pay_out', input: { to: said[0] } }] }
          : { text: results.map(({ text }) => text).join('\n') },
      worker: false,
    });
    const saying = Promise.all(payees.map((payee) => rig.say(payee, { sessionId: `chat-${payee}` })));
    // What a worker has in its cache when it stops is not waited for long.
    const workerOptions = { stickyQueueScheduleToStartTimeout: '200ms' };
    let worker = await rig.startWorker({ workerOptions });
    for (let rounds = 0; rounds < 5; rounds++) {
      const next = await rig.startWorker({ workerOptions });
      await worker.stop();
      worker = next;
    }
    expect((await saying).map(({ outcome }) => outcome)).toEqual(payees.map(() => 'answered'));
    expect(provider.effects.map(({ to }) => to).sort()).toEqual(payees);
    // A task that reaches a worker in the moment it stops is lost until its time-out, ten seconds.
  });
});
