// Needs Postgres and Temporal.
import { ApplicationFailure } from '@temporalio/activity';
import { aroundActivity } from '../support/activity-faults';
import { anthropicWire } from '../support/anthropic-wire';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import { historyText, scheduledActivities } from '../support/history';
import { API_KEY, type EndpointScript, modelEndpoints } from '../support/model-endpoint';
import { openaiWire } from '../support/openai-wire';
import { payOut } from '../support/payout-tools';
import { type Rig, turnRigs } from '../support/turn-rig';

const endpoints = modelEndpoints();
const rigs = turnRigs();

const payAnna: EndpointScript = ({ index }) =>
  index === 0 ? { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] } : { text: 'Paid.' };

async function cancel(rig: Rig): Promise<void> {
  await rig.temporal.workflow.getHandle(`turn/${rig.tenant}/chat-1/1`).cancel();
}

/** The IDs that are stored with each step of the first turn. */
async function storedIds(rig: Rig) {
  return (await rig.transcript())[0]?.steps.map(({ requestIds }) => requestIds);
}

describe.each([anthropicWire, openaiWire])('a turn whose model is at $name', (wire) => {
  test('400 → failed after one request; the history says why and whom to ask, without key and prompt', async () => {
    const message = `prompt is too long: ${API_KEY} ${'x'.repeat(1_000)}`;
    const endpoint = await endpoints.start(wire, () => ({ status: 400, message }));
    const rig = await rigs.start({ model: endpoint.model, tools: [payOut(new CountingProvider())] });
    const reply = await rig.say(`Pay Anna. ${'y'.repeat(1_000)}`);
    expect(reply).toMatchObject({ outcome: 'failed' });
    expect(endpoint.requests).toHaveLength(1);
    const history = historyText(await rig.history(reply.workflowId));
    expect(history).toContain('HTTP 400: prompt is too long');
    expect(history).toContain(endpoint.requestId(0));
    expect(history).toContain(String(endpoint.clientRequestIds[0]));
    expect(history).not.toMatch(new RegExp(`${API_KEY}|x{400}|y{100}`));
  });

  test('429 that asks for two seconds → asked again no sooner, once; the stored IDs are those of the answer', async () => {
    const endpoint = await endpoints.start(wire, ({ index }) =>
      index === 0 ? { status: 429, headers: { 'retry-after': '2' } } : { text: 'Hello.' },
    );
    const rig = await rigs.start({ model: endpoint.model });
    expect(await rig.say('Hello.')).toMatchObject({ outcome: 'answered', text: 'Hello.' });
    const [first, second] = endpoint.requests;
    const waited = (second?.at ?? 0) - (first?.at ?? 0);
    // Temporal's own interval would have been one second.
    expect(waited).toBeGreaterThanOrEqual(1_990);
    expect(waited).toBeLessThan(15_000);
    expect(endpoint.requests).toHaveLength(2);
    expect(new Set(endpoint.clientRequestIds).size).toBe(2);
    expect(await storedIds(rig)).toEqual([
      { clientRequestId: endpoint.clientRequestIds[1], requestId: endpoint.requestId(1) },
    ]);
  });

  test('cancelled while the endpoint thinks → its request is broken off, and nothing is stored', async () => {
    const thinking = new Gate();
    const endpoint = await endpoints.start(wire, async () => {
      await thinking.pass();
      return { text: 'Too late.' };
    });
    const rig = await rigs.start({ model: endpoint.model });
    const saying = rig.say('Hello.');
    await thinking.reached;
    await cancel(rig);
    await endpoint.requests[0]?.abandoned;
    expect(await saying).toMatchObject({ outcome: 'cancelled' });
    expect(endpoint.requests).toHaveLength(1);
    expect(await rig.transcript()).toMatchObject([{ steps: [] }]);
  });

  test('its worker stopped while the endpoint thinks → the answer is waited for and counts; it is asked once', async () => {
    const thinking = new Gate();
    const endpoint = await endpoints.start(wire, async (request) => {
      if (request.index === 0) await thinking.pass();
      return payAnna(request);
    });
    const provider = new CountingProvider();
    const rig = await rigs.start({ model: endpoint.model, tools: [payOut(provider)], worker: false });
    const worker = await rig.startWorker();
    const saying = rig.say('Pay Anna.');
    await thinking.reached;
    const stopped = worker.stop();
    thinking.open();
    await stopped;
    expect(await storedIds(rig)).toMatchObject([{ requestId: endpoint.requestId(0) }]);
    await rig.startWorker();
    expect(await saying).toMatchObject({ outcome: 'answered', text: 'Paid.' });
    expect(endpoint.requests).toHaveLength(2);
    expect(provider.sends).toEqual(['payout-anna']);
  });

  test('its worker stopped and out of patience → the request is broken off, and the next worker asks anew', async () => {
    const thinking = new Gate();
    const endpoint = await endpoints.start(wire, async ({ index }) => {
      if (index === 0) await thinking.pass();
      return { text: `Answer ${index}.` };
    });
    const rig = await rigs.start({ model: endpoint.model, worker: false });
    const worker = await rig.startWorker({ workerOptions: { shutdownGraceTime: '1ms' } });
    const saying = rig.say('Hello.');
    await thinking.reached;
    const stopped = worker.stop();
    await endpoint.requests[0]?.abandoned;
    await stopped;
    await rig.startWorker();
    expect(await saying).toMatchObject({ outcome: 'answered', text: 'Answer 1.' });
    expect(new Set(endpoint.clientRequestIds).size).toBe(2);
  });
});

describe('an endpoint in trouble', () => {
  test('"again at once" is no invitation to a storm: Temporal’s growing intervals stay', async () => {
    const endpoint = await endpoints.start(anthropicWire, ({ index }) =>
      index < 2 ? { status: 529, headers: { 'retry-after': '0' } } : { text: 'Hello.' },
    );
    const rig = await rigs.start({ model: endpoint.model });
    expect(await rig.say('Hello.')).toMatchObject({ outcome: 'answered' });
    const [first, second, third] = endpoint.requests.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  test('cut in the middle of an answer that calls a tool → asked again; the payout is made once', async () => {
    const provider = new CountingProvider();
    const endpoint = await endpoints.start(openaiWire, ({ index, ...request }) =>
      index === 0 ? { cut: 'within' } : payAnna({ ...request, index: index - 1 }),
    );
    const rig = await rigs.start({ model: endpoint.model, tools: [payOut(provider)] });
    expect(await rig.say('Pay Anna.')).toMatchObject({ outcome: 'answered', text: 'Paid.' });
    expect(endpoint.requests).toHaveLength(3);
    expect(provider.sends).toEqual(['payout-anna']);
  });
});

describe('the ID of a send is no key', () => {
  test('a second execution of a step says another one; the answer that was stored first counts, with its IDs', async () => {
    const gate = new Gate();
    const endpoint = await endpoints.start(anthropicWire, async ({ index }) => {
      if (index === 0) await gate.pass();
      return { calls: [{ tool: 'pay_out', input: { to: index === 0 ? 'anna' : 'bob' } }] };
    });
    const provider = new CountingProvider();
    let late: Promise<unknown> | undefined;
    const rig = await rigs.start({
      model: endpoint.model,
      maxSteps: 1,
      tools: [payOut(provider)],
      workerOptions: aroundActivity('sendonce.callModel', async ({ attempt, run }) => {
        if (attempt > 1) return run();
        late = run();
        await gate.reached;
        throw ApplicationFailure.retryable('It was lost.');
      }),
    });
    const reply = await rig.say('Pay somebody.');
    gate.open();
    await late;
    expect(reply.outcome).toBe('step_limit');
    const [first, second] = endpoint.clientRequestIds;
    expect(second).not.toBe(first);
    expect(await storedIds(rig)).toEqual([{ clientRequestId: second, requestId: endpoint.requestId(1) }]);
    expect(provider.sends).toEqual(['payout-bob']);
    const types = scheduledActivities(await rig.history(reply.workflowId)).map(({ type }) => type);
    expect(types).toEqual(['sendonce.callModel', 'pay_out', 'sendonce.endTurn']);
  });
});
