/** What stands for the machine that a workflow ran on. */
const SOMEBODY = 'recorder';

/**
 * A history's JSON without what is of no use in a replay and nobody's business: identities of workers and clients
 * (`123@host`), which are also names of a worker's own task queue, and stack traces with paths. Payloads stay as they are.
 */
export function withoutOrigin(json: unknown, name = ''): unknown {
  if (Array.isArray(json)) return json.map((each) => withoutOrigin(each));
  if (typeof json === 'object' && json !== null) {
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withoutOrigin(value, key)]));
  }
  if (typeof json !== 'string') return json;
  if (name === 'stackTrace') return '';
  return name === 'identity' || /^\d+@/.test(json) ? SOMEBODY : json;
}
