// Needs nothing.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { asFailure } from '../../src/activities/activity-errors';
import { askModel } from '../../src/activities/ask-model';
import { anthropicWire } from '../support/anthropic-wire';
import { API_KEY, type Fault, ModelEndpoint, modelEndpoints, type Said } from '../support/model-endpoint';
import { openaiWire } from '../support/openai-wire';

const endpoints = modelEndpoints();

const ask = (model: LanguageModel, text = 'Hello.', abortSignal = new AbortController().signal) =>
  askModel({
    ...{ model, instructions: 'Be kind.', messages: [{ role: 'user', content: text }], turn: 1, step: 1 },
    ...{ catalogue: new Map(), abortSignal },
  });
const failureOf = (asking: Promise<unknown>) => asking.then(() => null, asFailure);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What an endpoint can do, and whether Temporal shall ask it again. */
const FAULTS: readonly [string, Fault | Said, boolean, number | null][] = [
  ...[400, 401, 402, 403, 404, 413, 422].map((status): [string, Fault, boolean, number] => {
    return [`${status} → final`, { status }, false, status];
  }),
  ...[408, 409, 425, 429, 500, 502, 503, 504, 529].map((status): [string, Fault, boolean, number] => {
    return [`${status} → repeated`, { status }, true, status];
  }),
  ['a page instead of JSON → repeated', { body: '<html>Bad gateway</html>' }, true, 200],
  ['JSON of another shape → repeated', { body: '{"ok": true}' }, true, 200],
  ['an empty body → repeated', { body: '' }, true, 200],
  ['a connection that breaks before the answer → repeated', { cut: 'before' }, true, null],
  ['a connection that breaks within the answer → repeated', { cut: 'within' }, true, 200],
  ['an answer that says nothing → repeated', {}, true, null],
];

describe.each([anthropicWire, openaiWire])('one send to $name', (wire) => {
  test.each(FAULTS)('%s; the endpoint was asked once', async (_what, fault, isRepeated, status) => {
    const endpoint = await endpoints.start(wire, () => fault);
    const failure = await failureOf(ask(endpoint.model));
    expect(failure).toMatchObject({ type: 'SENDONCE_MODEL_CALL', nonRetryable: !isRepeated });
    expect(failure).toMatchObject({ details: [{ clientRequestId: endpoint.clientRequestIds[0], status }] });
    expect(endpoint.requests).toHaveLength(1);
  });

  test('nobody listens → repeated, and said in words', async () => {
    const endpoint = await ModelEndpoint.start(wire, () => ({}));
    await endpoint.close();
    const failure = await failureOf(ask(endpoint.model));
    expect(failure).toMatchObject({
      nonRetryable: false,
      message: expect.stringMatching(/ECONNREFUSED.*Client-Request-Id/),
    });
  });

  test('an endpoint that asks for time gets it, in seconds and in milliseconds', async () => {
    const headers = [{ 'retry-after': '7' }, { 'retry-after-ms': '1500' }];
    const endpoint = await endpoints.start(wire, ({ index }) => ({ status: 429, headers: headers[index] ?? {} }));
    expect(await failureOf(ask(endpoint.model))).toMatchObject({ nextRetryDelay: 7_000 });
    expect(await failureOf(ask(endpoint.model))).toMatchObject({ nextRetryDelay: 1_500 });
    expect(await failureOf(ask(endpoint.model))).toMatchObject({ nextRetryDelay: undefined });
  });

  test('every send says a new UUID, and its answer comes with both IDs', async () => {
    const endpoint = await endpoints.start(wire, () => ({ text: 'Hello.' }));
    const asked = [await ask(endpoint.model), await ask(endpoint.model)];
    const [first, second] = endpoint.clientRequestIds;
    expect(first).toMatch(UUID);
    expect(second).toMatch(UUID);
    expect(second).not.toBe(first);
    expect(asked.map(({ requestIds }) => requestIds)).toEqual([
      { clientRequestId: first, requestId: endpoint.requestId(0) },
      { clientRequestId: second, requestId: endpoint.requestId(1) },
    ]);
  });

  test('what fails names status and IDs; neither the key nor the whole prompt, though the endpoint quotes both', async () => {
    const prompt = `My card is 4242. ${'x'.repeat(1_000)}`;
    for (const status of [400, 401, 500]) {
      const message = `You sent ${API_KEY} and ${prompt}`;
      const endpoint = await endpoints.start(wire, () => ({ status, message }));
      const failure = await failureOf(ask(endpoint.model, prompt));
      const { message: words, cause } = failure as { message: string; cause?: unknown };
      expect(words).toContain(`HTTP ${status}`);
      expect(words).toContain(
        `request ID ${endpoint.requestId(0)}, X-Client-Request-Id ${endpoint.clientRequestIds[0]}`,
      );
      expect(words).not.toContain(API_KEY);
      expect(words.length).toBeLessThan(500);
      expect(cause).toBeUndefined();
    }
  });

  test('a signal that is aborted breaks the request off', async () => {
    const controller = new AbortController();
    const endpoint = await endpoints.start(wire, () => {
      controller.abort();
      return new Promise(() => undefined);
    });
    await expect(ask(endpoint.model, 'Hello.', controller.signal)).rejects.toThrow(/abort/);
    await endpoint.requests[0]?.abandoned;
  });
});

test('an ID that the model was configured with does not take the place of the new one', async () => {
  const headers = { 'X-Client-Request-Id': 'always-the-same' };
  const anthropic = await endpoints.start(anthropicWire, () => ({ text: 'Hello.' }));
  const openai = await endpoints.start(openaiWire, () => ({ text: 'Hello.' }));
  await ask(createAnthropic({ baseURL: anthropic.url, apiKey: API_KEY, headers })('claude-sonnet-4-5'));
  await ask(createOpenAICompatible({ name: 'x', baseURL: openai.url, apiKey: API_KEY, headers })('gpt-test'));
  expect(anthropic.clientRequestIds[0]).toMatch(UUID);
  expect(openai.clientRequestIds[0]).toMatch(UUID);
});

test('no API key → final, nothing is sent', async () => {
  const before = process.env['ANTHROPIC_API_KEY'];
  delete process.env['ANTHROPIC_API_KEY'];
  try {
    const endpoint = await endpoints.start(anthropicWire, () => ({}));
    const failure = await failureOf(ask(createAnthropic({ baseURL: endpoint.url })('claude-sonnet-4-5')));
    expect(failure).toMatchObject({ nonRetryable: true, message: expect.stringContaining('API key is missing') });
    expect(endpoint.requests).toEqual([]);
  } finally {
    if (before !== undefined) process.env['ANTHROPIC_API_KEY'] = before;
  }
});
