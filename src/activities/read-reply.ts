import { type Reply, retryActionOf } from '../operations/reply';

/** Characters of one read-only tool's result that the model gets: a larger one would fill its context. */
const TEXT_MAX = 100_000;

/** What a read-only tool gave, for the model: text as it is, everything else as JSON. */
export function readReply(output: unknown): Reply {
  const text = textOf(output);
  if (text === null) return failedRead('The result has no JSON (it holds a bigint or refers to itself).');
  if (text.length > TEXT_MAX) {
    return failedRead(`The result has ${text.length} characters, the limit is ${TEXT_MAX}. Ask for less.`);
  }
  return { text, isError: false, code: 'done', retryAction: 'none', operationId: null, externalId: null, attempts: 0 };
}

/** A read that brought nothing. Nothing was sent, so the same request may be made again. */
export function failedRead(text: string): Reply {
  const code = 'not_submitted';
  return {
    text,
    isError: true,
    code,
    retryAction: retryActionOf(code),
    operationId: null,
    externalId: null,
    attempts: 0,
  };
}

/** Null where JSON has no words for it. It would have none again, so this is no error to repeat. */
function textOf(output: unknown): string | null {
  if (typeof output === 'string') return output;
  try {
    return JSON.stringify(output) ?? '';
  } catch {
    return null;
  }
}
