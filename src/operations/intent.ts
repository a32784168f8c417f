/** Fields that differ between two calls for the same thing: never part of a default intent or an operation ID. */
export const VOLATILE_FIELDS: readonly string[] = ['timestamp', 'request_time', 'nonce', 'trace_id'];

/**
 * The text that two calls for one operation must share: JSON with sorted keys and without `undefined`, so that a release
 * which merely reorders fields makes no false conflict. What an intent names is part of it, whatever its name.
 */
export function canonicalIntent(intent: unknown): string {
  return JSON.stringify(sorted(plain(intent)));
}

/** The same of what nobody chose as an intent: volatile fields are left out at every depth. */
export function canonicalDefaultIntent(objects: object): string {
  return JSON.stringify(sorted(withoutVolatile(plain(objects))));
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, bigintAsText));
}

function sorted(value: unknown): unknown {
  return mapEntries(value, sorted, (entries) => entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutVolatile(value: unknown): unknown {
  return mapEntries(value, withoutVolatile, (entries) => entries.filter(([name]) => !VOLATILE_FIELDS.includes(name)));
}

type Entries = [name: string, value: unknown][];

function mapEntries(value: unknown, inner: (value: unknown) => unknown, outer: (entries: Entries) => Entries): unknown {
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(outer(Object.entries(value)).map(([name, one]) => [name, inner(one)]));
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
