import { APICallError } from 'ai';
import { shorten } from '../operations/outcome';
import { requestIdOf } from './request-id';
import { retryAfterMs } from './retry-after';

/** What is known of a model call that gave no answer. */
export interface ModelFailure {
  /** Whether the same request may get an answer later. */
  readonly isRetryable: boolean;
  /** How long the endpoint asks to be left alone; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** The endpoint's HTTP status; null where no answer came. */
  readonly status: number | null;
  /** The endpoint's own ID of the request; null where it gave none. */
  readonly requestId: string | null;
  /** In short, without what could be a credential. */
  readonly words: string;
}

/**
 * The whole list of what would be the same again. All other statuses and errors are repeated: a model call has no side
 * effect, and the workflow ends the repetition. 402 is Anthropic's unpaid bill; 405, 410, 414 and 415 are a base URL or
 * a request that is wrong.
 */
const FINAL_STATUSES: readonly number[] = [400, 401, 402, 403, 404, 405, 410, 413, 414, 415, 422];

/** Errors of the AI SDK that come before anything is sent, by their names: its classes differ from copy to copy. */
const FINAL_ERRORS: readonly string[] = [
  'AI_LoadAPIKeyError',
  'AI_LoadSettingError',
  'AI_NoSuchModelError',
  'AI_NoSuchProviderError',
  'AI_UnsupportedFunctionalityError',
  'AI_UnsupportedModelVersionError',
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_MissingToolResultsError',
  // What the AI SDK makes of a missing key where the model is given by its name.
  'GatewayAuthenticationError',
  'GatewayError',
];

/** The one table of model errors. The AI SDK's own `isRetryable` is not it: it gives up on a 200 that cannot be read. */
export function modelFailure(error: unknown, now: number): ModelFailure {
  const api = apiErrorOf(error);
  const headers = api?.responseHeaders ?? {};
  const { name, statusCode } = fieldsOf(error);
  const status = typeof statusCode === 'number' ? statusCode : (api?.statusCode ?? null);
  return {
    isRetryable: status === null ? !FINAL_ERRORS.includes(String(name)) : !FINAL_STATUSES.includes(status),
    retryAfterMs: retryAfterMs(headers, now),
    status,
    requestId: requestIdOf(headers),
    words: status === 401 || status === 403 ? WITHHELD : quotable(wordsOf(error)),
  };
}

/** Some endpoints quote the key that they refuse. */
const WITHHELD = 'the endpoint does not accept the API key for this';

/** Enough for an endpoint's reason, too little for a prompt that it quotes. */
const WORDS_MAX = 300;
const CREDENTIALS = /\bBearer\s+\S+|\b(?:sk|pk|rk|gsk|xai)[-_][\w*.-]{6,}/gi;

function quotable(words: string): string {
  return shorten(words.replace(CREDENTIALS, '[withheld]'), WORDS_MAX);
}

function wordsOf(error: unknown): string {
  const { message, cause } = fieldsOf(error);
  const words = typeof message === 'string' ? message.trim() : String(error);
  // A connection that failed says why in its cause, and `localhost` with two addresses only by a code.
  const { code } = fieldsOf(cause);
  if (typeof code === 'string' && !words.includes(code)) return `${words} (${code})`.trim();
  return words === '' ? 'without a reason' : words;
}

/** The AI gateway's errors have the endpoint's as their cause. */
function apiErrorOf(error: unknown): APICallError | null {
  if (APICallError.isInstance(error)) return error;
  const { cause } = fieldsOf(error);
  return APICallError.isInstance(cause) ? cause : null;
}

interface ErrorFields {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly statusCode?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
}

/** By its fields: an error of `fetch` in another realm is no `Error` of this one. */
function fieldsOf(error: unknown): ErrorFields {
  return typeof error === 'object' && error !== null ? error : {};
}
