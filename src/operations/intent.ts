/** Fields that differ between two calls for the same thing: never part of an intent or an operation ID. */
export const VOLATILE_FIELDS: readonly string[] = ['timestamp', 'request_time', 'nonce', 'trace_id'];

/**
 * The text that two calls for one operation must share: JSON with sorted keys, without volatile fields at any depth
 * and without `undefined`, so that a release which merely reorders fields makes no false conflict.
 */
export function canonicalIntent(intent: unknown): string {
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(intent ?? null, bigintAsText))));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE_FIELDS.includes(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
