// Needs nothing.
import { APICallError, type LanguageModelV4, type LanguageModelV4Content, NoSuchModelError } from '@ai-sdk/provider';
import type { LanguageModel } from 'ai';
import { z } from 'zod';
import { askModel, type ModelQuestion } from '../../src/activities/ask-model';
import { scriptedModel } from '../../src/testing/scripted-model';
import { catalogueOf } from '../../src/tools/catalogue';
import { defineTool } from '../../src/tools/define-tool';

const findOrder = defineTool({
  name: 'find_order',
  description: 'Look up one order.',
  input: z.object({ orderId: z.string().describe('The order number.') }),
  run: async () => '',
});

const ask = async (model: LanguageModel, change: Partial<ModelQuestion> = {}) => (await askFor(model, change)).answer;

const askFor = (model: LanguageModel, change: Partial<ModelQuestion> = {}) =>
  askModel({
    ...{ model, instructions: 'Be kind.', messages: [{ role: 'user', content: 'Hello.' }], turn: 1, step: 2 },
    ...{ catalogue: catalogueOf([findOrder]), abortSignal: new AbortController().signal },
    ...change,
  });

/** A model that answers with this, as it stands; and how often it was asked. */
function raw(answer: readonly LanguageModelV4Content[] | Error): { model: LanguageModelV4; asked: jest.Mock } {
  const asked = jest.fn();
  const model = scriptedModel(() => ({}));
  const doGenerate: LanguageModelV4['doGenerate'] = async (options) => {
    asked(options);
    if (answer instanceof Error) throw answer;
    return { ...(await model.doGenerate(options)), content: [...answer] };
  };
  return { model: { ...model, doGenerate }, asked };
}

const call = (toolCallId: string, toolName: string, input: string): LanguageModelV4Content => ({
  ...{ type: 'tool-call', toolCallId, toolName, input },
});
const failure = (statusCode: number) =>
  new APICallError({ message: 'Overloaded', url: 'http://model', requestBodyValues: {}, statusCode });

describe('one question, one try', () => {
  test.each([
    ['an error that may pass', failure(529), true],
    ['an error that would come again', failure(400), false],
    ['an error of the network', new TypeError('fetch failed'), true],
  ])('%s: the model is asked once, and the error says whether to ask again', async (_what, error, isRetryable) => {
    const { model, asked } = raw(error);
    await expect(ask(model)).rejects.toMatchObject({
      ...{ code: 'SENDONCE_MODEL_CALL', failure: { isRetryable }, cause: error },
      message: expect.stringMatching(/^The model gave no answer: .*X-Client-Request-Id/),
    });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('calls that cannot be read are handed back; the model is not asked again about them', async () => {
    const { model, asked } = raw([call('a', 'find_order', '{'), call('b', 'nope', '{}')]);
    const { calls } = await ask(model);
    expect(calls).toMatchObject([
      { tool: 'find_order', malformed: expect.stringContaining('JSON parsing failed') },
      { tool: 'nope', malformed: expect.stringContaining('unavailable tool') },
    ]);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('the signal that aborts the activity aborts the request', async () => {
    const controller = new AbortController();
    const { model, asked } = raw(new Error('aborted'));
    controller.abort();
    await expect(ask(model, { abortSignal: controller.signal })).rejects.toMatchObject({ code: 'SENDONCE_MODEL_CALL' });
    for (const [{ abortSignal }] of asked.mock.calls) expect(abortSignal.aborted).toBe(true);
  });
});

describe('what the model is shown', () => {
  test('the instructions, the messages, and the tools with the descriptions of their fields', async () => {
    const { model, asked } = raw([{ type: 'text', text: 'Hi.' }]);
    await ask(model);
    expect(asked.mock.calls[0]?.[0]).toMatchObject({
      prompt: [{ role: 'system', content: 'Be kind.' }, { role: 'user' }],
      tools: [
        {
          ...{ type: 'function', name: 'find_order', description: 'Look up one order.' },
          inputSchema: {
            type: 'object',
            properties: { orderId: { type: 'string', description: 'The order number.' } },
          },
        },
      ],
    });
  });

  test('a tool with the name of what every object has is a tool like any other', async () => {
    const named = defineTool({ ...findOrder, name: 'constructor', run: async () => '' });
    const { model, asked } = raw([call('a', 'constructor', '{"orderId":"1"}')]);
    const { calls } = await ask(model, { catalogue: catalogueOf([named]) });
    expect(asked.mock.calls[0]?.[0].tools).toMatchObject([{ name: 'constructor' }]);
    expect(calls).toMatchObject([{ tool: 'constructor', malformed: null }]);
  });
});

describe('what the model answers', () => {
  test('words and calls, by position, with our IDs in what is shown again and the model’s own beside them', async () => {
    const { model } = raw([
      { type: 'text', text: 'One moment.' },
      call('toolu_9', 'find_order', '{"orderId":"1043"}'),
      call('toolu_9', 'find_order', '{"orderId":"1044"}'),
    ]);
    expect(await ask(model)).toEqual({
      text: 'One moment.',
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'One moment.' },
            { type: 'tool-call', toolCallId: 'call_1_2_0', toolName: 'find_order', input: { orderId: '1043' } },
            { type: 'tool-call', toolCallId: 'call_1_2_1', toolName: 'find_order', input: { orderId: '1044' } },
          ],
        },
      ],
      calls: [
        { position: 0, tool: 'find_order', input: { orderId: '1043' }, malformed: null, modelCallId: 'toolu_9' },
        { position: 1, tool: 'find_order', input: { orderId: '1044' }, malformed: null, modelCallId: 'toolu_9' },
      ],
    });
  });

  test.each([
    ['nothing at all', []],
    ['blanks', [{ type: 'text', text: ' \n' } as const]],
  ])('%s is no answer: the customer is not told nothing, and the model is asked again', async (_what, content) => {
    await expect(ask(raw(content).model)).rejects.toMatchObject({
      ...{ code: 'SENDONCE_MODEL_CALL', failure: { isRetryable: true } },
    });
  });

  test('blanks beside a call are not shown again', async () => {
    const { messages } = await ask(raw([{ type: 'text', text: ' \n' }, call('a', 'find_order', '{}')]).model);
    expect(messages).toMatchObject([{ content: [{ type: 'tool-call' }] }]);
  });

  test('an invented name is kept in a form that endpoints take when they are shown it again', async () => {
    const { calls, messages } = await ask(raw([call('a', 'functions.find_order', '{}')]).model);
    expect(calls).toMatchObject([{ tool: 'functions_find_order' }]);
    expect(JSON.stringify(messages)).not.toContain('functions.find_order');
  });
});

test('a model that is given by its name is that of the AI SDK’s default provider', async () => {
  const { model, asked } = raw([call('x', 'find_order', '{"orderId":"1"}')]);
  globalThis.AI_SDK_DEFAULT_PROVIDER = { languageModel: () => model } as never;
  try {
    await expect(ask('some/model' as LanguageModel)).resolves.toMatchObject({ calls: [{ modelCallId: 'x' }] });
  } finally {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
  }
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a name that the default provider does not know is final', async () => {
  const languageModel = (modelId: string) => {
    throw new NoSuchModelError({ modelId, modelType: 'languageModel' });
  };
  globalThis.AI_SDK_DEFAULT_PROVIDER = { languageModel } as never;
  try {
    await expect(ask('some/model' as LanguageModel)).rejects.toMatchObject({
      ...{ code: 'SENDONCE_MODEL_CALL', failure: { isRetryable: false } },
      message: expect.stringContaining('No such languageModel: some/model'),
    });
  } finally {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined;
  }
});
