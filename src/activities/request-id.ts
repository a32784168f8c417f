/** Anthropic's and OpenAI's names of it; others follow one of the two. */
const REQUEST_ID_HEADERS = ['request-id', 'x-request-id'];

/** Longer than any vendor's. What does not look like an ID is none, and must not stop an answer from being stored. */
const REQUEST_ID = /^[\x21-\x7E]{1,200}$/;

/** The endpoint's own ID of a request, which its support asks for; null where the answer brought none. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = headers[name];
    if (value !== undefined && REQUEST_ID.test(value)) return value;
  }
  return null;
}
