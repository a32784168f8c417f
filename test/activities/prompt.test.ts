// Needs Postgres.
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { StepRef } from '../../src/conversations/refs';
import { ActivityRig, refund, toolCall } from '../support/activity-rig';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let test_: TestDatabase;
let rig: ActivityRig;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());
beforeEach(async () => {
  rig = new ActivityRig(test_);
  await rig.forget();
});

/** The prompt of the next model call. */
async function nextPrompt({ step, ...turn }: StepRef): Promise<LanguageModelV4Prompt> {
  await rig.callModel({ ...turn, step: step + 1 });
  return rig.asked.at(-1)?.prompt ?? [];
}

/** The calls of a prompt with their results, paired by ID. */
function pairs(prompt: LanguageModelV4Prompt) {
  const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
  const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part] : []));
  return parts.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const own = results.filter(({ toolCallId }) => toolCallId === part.toolCallId);
    return [{ id: part.toolCallId, input: part.input, results: own.map(({ output }) => output) }];
  });
}

describe('the model’s own IDs of its calls do not count', () => {
  test('two calls of an answer with one ID keep their own tool, arguments and result', async () => {
    const calls = [toolCall('find_order', { orderId: '1043' }, 'x'), refund({ lineItemId: 'li_2' }, 'x')];
    const step = await rig.planned([...calls, refund({ lineItemId: 'li_1' }, 'x')]);
    expect((await rig.plan(step)).map(({ tool }) => tool)).toEqual([
      'find_order',
      'refund_line_item',
      'refund_line_item',
    ]);
    await rig.callTool({ ...step, position: 0 }, {}, 'find_order');
    await rig.callTool({ ...step, position: 1 });
    await rig.callTool({ ...step, position: 2 });
    expect(rig.provider.effects.map(({ to }) => to)).toEqual(['li_2', 'li_1']);
    expect(pairs(await nextPrompt(step))).toMatchObject([
      { id: 'call_1_1_0', input: { orderId: '1043' }, results: [{ type: 'text' }] },
      { id: 'call_1_1_1', input: { lineItemId: 'li_2' }, results: [{ value: expect.stringContaining('li_2') }] },
      { id: 'call_1_1_2', input: { lineItemId: 'li_1' }, results: [{ value: expect.stringContaining('li_1') }] },
    ]);
  });

  test('a later step that repeats the IDs of an earlier one is paired with its own results', async () => {
    const first = await rig.planned([toolCall('find_order', { orderId: '1043' }, 'x')]);
    await rig.callTool({ ...first, position: 0 }, {}, 'find_order');
    rig.answers.push([toolCall('find_order', { orderId: '9' }, 'x')]);
    const second = { ...first, step: 2 };
    await rig.callModel(second);
    await rig.callTool({ ...second, position: 0 }, {}, 'find_order');
    expect(pairs(await nextPrompt(second))).toMatchObject([
      { id: 'call_1_1_0', results: [{ type: 'text' }] },
      { id: 'call_1_2_0', results: [{ type: 'error-text', value: expect.stringContaining('has no order "9"') }] },
    ]);
  });

  test('an empty ID is as good as any; it is kept beside the call', async () => {
    const step = await rig.planned([refund({ lineItemId: 'li_2' }, '')]);
    const [turn] = await rig.transcript(step);
    expect(turn?.steps[0]?.answer.calls).toMatchObject([{ position: 0, modelCallId: '' }]);
    expect(pairs(await nextPrompt(step))).toMatchObject([{ id: 'call_1_1_0' }]);
  });
});

describe('results', () => {
  test('stand in the order of the calls, whichever ended first', async () => {
    const step = await rig.planned([refund({ lineItemId: 'li_1' }), refund({ lineItemId: 'li_2' })]);
    await rig.callTool({ ...step, position: 1 });
    await rig.callTool({ ...step, position: 0 });
    const results = (await nextPrompt(step)).flatMap((message) => (message.role === 'tool' ? message.content : []));
    expect(results).toMatchObject([
      { toolCallId: 'call_1_1_0', output: { value: expect.stringContaining('refund-1043-li_1') } },
      { toolCallId: 'call_1_1_1', output: { value: expect.stringContaining('refund-1043-li_2') } },
    ]);
  });

  test('with the error flag reach the model as errors, all others as text', async () => {
    rig.provider.treat('li_1', 'refuse');
    rig.provider.treat('li_3', 'lose-answer');
    const lines = ['li_1', 'li_2', 'li_3'];
    const step = await rig.planned([...lines.map((lineItemId) => refund({ lineItemId })), toolCall('nope', {})]);
    for (const position of [0, 1, 2]) await rig.callTool({ ...step, position });
    const outputs = pairs(await nextPrompt(step)).map(({ results }) => results[0]);
    expect(outputs).toMatchObject([
      { type: 'error-text', value: expect.stringMatching(/^Rejected: /) },
      { type: 'text', value: expect.stringMatching(/^Done: /) },
      { type: 'error-text', value: expect.stringMatching(/^Outcome unknown: /) },
      { type: 'error-text', value: expect.stringMatching(/^There is no tool "nope"/) },
    ]);
  });

  test('a call without one is said to be broken off, and how to find out', async () => {
    const step = await rig.planned([refund({ lineItemId: 'li_1' })]);
    expect(pairs(await nextPrompt(step))).toMatchObject([
      { results: [{ type: 'error-text', value: expect.stringContaining('operation_status') }] },
    ]);
  });
});

describe('the conversation', () => {
  test('no instructions → no empty system message, which some endpoints refuse', async () => {
    await rig.callModel({ ...(await rig.message({ text: 'Hello.' })), step: 1 });
    expect(rig.asked[0]?.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }]);
  });

  test('arguments that are no object are shown as an empty one, which every endpoint takes', async () => {
    const inputs = ['"1043"', '[1]', 'null', '{"orderId"', '7'];
    const step = await rig.planned(inputs.map((input) => toolCall('refund_line_item', input)));
    expect(pairs(await nextPrompt(step)).map(({ input }) => input)).toEqual([{}, {}, {}, {}, {}]);
  });

  test('what a turn told without the model is part of it', async () => {
    const first = await rig.planned([refund({ lineItemId: 'li_1' })], { sessionId: 'chat-told' });
    await rig.run('sendonce.endTurn', { ...first, outcome: 'step_limit' });
    const second = { ...(await rig.message({ sessionId: 'chat-told', text: 'And now?' })), step: 1 };
    await rig.callModel(second);
    expect(rig.asked.at(-1)?.prompt.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(rig.asked.at(-1)?.prompt[3]).toMatchObject({ content: [{ text: expect.stringContaining('in one go') }] });
  });

  test('what a turn answered is said once', async () => {
    await rig.callModel({ ...(await rig.message({ sessionId: 'chat-said' })), step: 1 });
    await rig.callModel({ ...(await rig.message({ sessionId: 'chat-said' })), step: 1 });
    const said = rig.asked.at(-1)?.prompt.filter(({ role }) => role === 'assistant');
    expect(said).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Goodbye.' }] }]);
  });

  test('what the model thought goes back to it with the signature of its endpoint', async () => {
    const providerMetadata = { anthropic: { signature: 'sig' } };
    const step = await rig.planned([
      { type: 'reasoning', text: 'Hm.', providerMetadata },
      refund({ lineItemId: 'li_1' }),
    ]);
    const assistant = (await nextPrompt(step)).find(({ role }) => role === 'assistant');
    expect(assistant?.content[0]).toEqual({ type: 'reasoning', text: 'Hm.', providerOptions: providerMetadata });
  });

  test('tools reach the model with the descriptions of their fields', async () => {
    await rig.callModel({ ...(await rig.message()), step: 1 });
    const tools = rig.asked[0]?.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual(['find_order', 'refund_line_item', 'operation_status']);
    expect(tools[1]).toMatchObject({
      description: 'Refund one line item.',
      inputSchema: {
        type: 'object',
        properties: { orderId: { description: 'The order number.' }, quantity: { description: 'How many pieces.' } },
        required: ['orderId', 'lineItemId'],
      },
    });
  });
});
