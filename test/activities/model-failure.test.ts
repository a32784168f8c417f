// Needs nothing.
import {
  APICallError,
  InvalidPromptError,
  InvalidResponseDataError,
  LoadAPIKeyError,
  NoSuchModelError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { UnsupportedModelVersionError } from 'ai';
import { modelFailure } from '../../src/activities/model-failure';
import { T0 } from '../support/fixtures';

const http = (statusCode: number, change: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
  new APICallError({ message: 'So it is.', url: 'http://model/v1', requestBodyValues: {}, statusCode, ...change });
const named = (name: string) => Object.assign(new Error('x'), { name });
const gateway = (statusCode: number) =>
  Object.assign(new Error('x'), {
    statusCode,
    cause: http(500, { responseHeaders: { 'retry-after': '9', 'request-id': 'req_9' } }),
  });

describe('the table of model errors', () => {
  test.each<[string, unknown, boolean]>([
    ...[400, 401, 402, 403, 404, 405, 410, 413, 414, 415, 422].map((status): [string, unknown, boolean] => [
      `HTTP ${status} → final`,
      http(status),
      false,
    ]),
    ...[408, 409, 418, 425, 429, 451, 500, 501, 502, 503, 504, 520, 529, 599].map(
      (status): [string, unknown, boolean] => [`HTTP ${status} → repeated`, http(status), true],
    ),
    ['a final status that the SDK calls retryable → final', http(400, { isRetryable: true }), false],
    ['a status that the SDK calls final → repeated', http(425, { isRetryable: false }), true],
    ['a 200 that cannot be read → repeated', http(200, { message: 'Invalid JSON response' }), true],
    ['no connection → repeated', new APICallError({ message: 'x', url: '', requestBodyValues: {} }), true],
    ['an answer without choices → repeated', new InvalidResponseDataError({ data: {} }), true],
    ['an error of the network → repeated', new TypeError('fetch failed'), true],
    ['a time-out of the user’s own fetch → repeated', named('TimeoutError'), true],
    ['what is no error → repeated', 'x', true],
    ['no API key → final', new LoadAPIKeyError({ message: 'x' }), false],
    ['no such model → final', new NoSuchModelError({ modelId: 'x', modelType: 'languageModel' }), false],
    ['what the model cannot do → final', new UnsupportedFunctionalityError({ functionality: 'x' }), false],
    [
      'a model of another SDK → final',
      new UnsupportedModelVersionError({ version: 'v1', provider: 'x', modelId: 'x' }),
      false,
    ],
    ['a prompt that is none → final', new InvalidPromptError({ prompt: {}, message: 'x' }), false],
    ['no key for the gateway → final', named('GatewayAuthenticationError'), false],
    ['a status of the gateway → final', gateway(404), false],
    ['another status of the gateway → repeated', gateway(503), true],
  ])('%s', (_what, error, isRetryable) => {
    expect(modelFailure(error, T0).isRetryable).toBe(isRetryable);
  });

  test('what the gateway’s cause says is read too', () => {
    expect(modelFailure(gateway(503), T0)).toMatchObject({ status: 503, retryAfterMs: 9_000, requestId: 'req_9' });
  });
});

describe('the time that an endpoint asks for', () => {
  const date = (seconds: number) => new Date(T0 + seconds * 1_000).toUTCString();
  test.each<[string, Record<string, string>, number | null]>([
    ['nothing', {}, null],
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['parts of a second, which are made one', { 'retry-after': '0.2' }, 1_000],
    ['milliseconds', { 'retry-after-ms': '1500.5' }, 1_501],
    ['milliseconds, and seconds that are coarser', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1_500],
    ['milliseconds that are none', { 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
    ['a date', { 'retry-after': date(20) }, 20_000],
    ['a date by the endpoint’s own clock', { 'retry-after': date(3_620), date: date(3_600) }, 20_000],
    ['a date that is over', { 'retry-after': date(-20) }, null],
    ['no wait at all', { 'retry-after': '0' }, null],
    ['a negative wait', { 'retry-after': '-5' }, null],
    ['words', { 'retry-after': 'later' }, null],
    ['an hour, which is more than a turn may wait', { 'retry-after': '3600' }, 300_000],
    ['digits without end', { 'retry-after': '9'.repeat(400) }, 300_000],
  ])('%s', (_what, responseHeaders, waitMs) => {
    expect(modelFailure(http(429, { responseHeaders }), T0).retryAfterMs).toBe(waitMs);
  });
});

describe('the endpoint’s ID of the request', () => {
  test.each<[string, Record<string, string>, string | null]>([
    ['Anthropic’s', { 'request-id': 'req_1' }, 'req_1'],
    ['OpenAI’s', { 'x-request-id': 'req_2' }, 'req_2'],
    ['none', {}, null],
    ['an empty one', { 'request-id': '' }, null],
    ['what is too long for one', { 'request-id': 'x'.repeat(201) }, null],
    ['what cannot be stored', { 'request-id': 'a\0b', 'x-request-id': 'req_3' }, 'req_3'],
  ])('%s', (_what, responseHeaders, requestId) => {
    expect(modelFailure(http(500, { responseHeaders }), T0).requestId).toBe(requestId);
  });
});

describe('the words', () => {
  test.each<[string, unknown, string]>([
    ['of the endpoint', http(400), 'So it is.'],
    ['of whoever does not accept the key are not repeated', http(401, { message: 'Bad key abc' }), 'API key'],
    [
      'with a key in them lose it',
      http(500, { message: 'Key sk-ant-api03-abc_DEF refused' }),
      'Key [withheld] refused',
    ],
    ['with a header in them lose it', http(500, { message: 'Got Bearer abc.def' }), 'Got [withheld]'],
    [
      'of a connection that failed without any',
      Object.assign(new Error(''), { cause: { code: 'ECONNREFUSED' } }),
      'ECONNREFUSED',
    ],
    ['that are missing', http(500, { message: ' ' }), 'without a reason'],
    ['of what is no error', 7, '7'],
  ])('%s', (_what, error, words) => {
    expect(modelFailure(error, T0).words).toContain(words);
    expect(modelFailure(error, T0).words).not.toMatch(/abc/);
  });

  test('that quote a prompt are cut', () => {
    expect(modelFailure(http(400, { message: 'x'.repeat(10_000) }), T0).words.length).toBeLessThan(350);
  });
});
