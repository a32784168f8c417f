// Needs nothing.
import fc from 'fast-check';
import { canonicalDefaultIntent, canonicalIntent, VOLATILE_FIELDS } from '../../src/operations/intent';
import { type Pick, picks } from '../support/picks';
import { runs } from '../support/property-runs';

/** Names that JSON, JavaScript's own objects and the rule for volatile fields treat as special. */
const name = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 4 }) },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', 'length', '0', '10', '9', 'timestamp_', 'Nonce'),
);
const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, '', '1', 'null', 'ä', '\uD800', '\0', 1e21, 0.1 + 0.2),
  fc.integer(),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const { json } = fc.letrec<{ json: unknown; list: unknown[]; object: object }>((tie) => ({
  json: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('json'), { maxLength: 3 }),
  object: fc.array(fc.tuple(name, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
}));

/** The same content, written by another release or another model: other order, and fields that are not there. */
function rewritten(value: unknown, pick: Pick, extra: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => rewritten(one, pick, extra));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key, rewritten(one, pick, extra)]);
  const more = extra.filter((each) => !Object.hasOwn(value, each)).map((each): [string, unknown] => [each, undefined]);
  const shuffled: [string, unknown][] = [];
  for (const entry of [...entries, ...more]) shuffled.splice(pick(shuffled.length + 1), 0, entry);
  return Object.fromEntries(shuffled);
}

function withVolatile(value: unknown, pick: Pick): unknown {
  if (Array.isArray(value)) return value.map((one) => withVolatile(one, pick));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key, withVolatile(one, pick)]);
  const volatile = VOLATILE_FIELDS.map((each): [string, unknown] => [each, pick(1_000)]);
  return Object.fromEntries([...entries, ...volatile.slice(pick(VOLATILE_FIELDS.length))]);
}

/** A value that differs in one place: a leaf, a name, an entry more or less, two entries of a list exchanged. */
function changed(value: unknown, pick: Pick): unknown {
  if (Array.isArray(value)) {
    const at = pick(value.length + 2);
    if (at >= value.length) return at === value.length ? [...value, null] : [value];
    return value.with(at, changed(value[at], pick));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const at = pick(entries.length + 2);
    const [key, inner] = entries[at] ?? ['', null];
    if (at >= entries.length) return at === entries.length ? { ...value, 'a new name': null } : [value];
    const other: [string, unknown] = pick(2) === 0 ? [key, changed(inner, pick)] : [`${key}'`, inner];
    return Object.fromEntries(
      entries.flatMap((entry, index) => (index !== at ? [entry] : pick(4) === 0 ? [] : [other])),
    );
  }
  if (typeof value === 'number') return value + Math.max(1, Math.abs(value));
  if (typeof value === 'string') return pick(2) === 0 ? `${value} ` : [value];
  return value === null ? 'null' : value === true ? 'true' : null;
}

describe('an intent', () => {
  test('is the same in any order of fields at any depth, with a field absent or undefined', () => {
    fc.assert(
      fc.property(json, picks, fc.array(name, { maxLength: 2 }), (content, pick, extra) => {
        const other = rewritten(content, pick, extra);
        expect(canonicalIntent(other)).toBe(canonicalIntent(content));
        if (isObject(content)) expect(canonicalDefaultIntent(other as object)).toBe(canonicalDefaultIntent(content));
      }),
      runs(800),
    );
  });

  test('that nobody chose does not see volatile fields at any depth; one that was chosen sees all it names', () => {
    fc.assert(
      fc.property(json.filter(isObject), picks, (content, pick) => {
        const other = withVolatile(content, pick) as object;
        expect(canonicalDefaultIntent(other)).toBe(canonicalDefaultIntent(content));
        if (JSON.stringify(other) === JSON.stringify(content)) return;
        expect(canonicalIntent(other)).not.toBe(canonicalIntent(content));
      }),
      runs(800),
    );
  });

  test('differs wherever anything else differs', () => {
    fc.assert(
      fc.property(json, picks, (content, pick) => {
        const other = changed(content, pick);
        expect(canonicalIntent(other)).not.toBe(canonicalIntent(content));
        if (isObject(content) && isObject(other)) {
          expect(canonicalDefaultIntent(other)).not.toBe(canonicalDefaultIntent(content));
        }
      }),
      runs(800),
    );
  });

  test('is the same of what comes back from a database as JSON, and reading it loses nothing', () => {
    fc.assert(
      fc.property(json, (content) => {
        const text = canonicalIntent(content);
        const event: { intent: string } = JSON.parse(JSON.stringify({ intent: text }));
        expect(event.intent).toBe(text);
        expect(canonicalIntent(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(content)));
      }),
      runs(800),
    );
  });
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
