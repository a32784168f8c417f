// Needs nothing.
import fc from 'fast-check';
import { checkName, NameInvalidError } from '../../src/conversations/names';
import { keyOf, keyPrefix, tenantOfKey } from '../../src/operations/key';
import { checkOperationId, GENERATION_SUFFIX_ROOM, id, type OperationIdPart } from '../../src/operations/operation-id';
import { RefusedError } from '../../src/operations/refused-error';
import { runs } from '../support/property-runs';

/** From here on three digits do not hold a generation. */
const GENERATIONS = 1_000;

const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
/** What escapes, keys and separators are made of, more often than by chance. */
const tricky = fc.constantFrom(...'%~ -_:/27DEF5');

/** Any text at all: printable ASCII, all of Unicode, halves of characters, control characters, nothing. */
const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: fc.oneof(tricky, printable), minLength: 1, maxLength: 10 }) },
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.string({
    unit: fc.oneof(printable, fc.constantFrom('\0', '\n', '\x7f', 'ä', '\uD800', '’', '\u200B')),
    maxLength: 6,
  }),
);
const anyPart: fc.Arbitrary<OperationIdPart> = fc.oneof(
  { weight: 4, arbitrary: anyText },
  fc.maxSafeInteger(),
  fc.bigInt(),
);

const literalChar = fc
  .integer({ min: 0x21, max: 0x7d })
  .map((code) => String.fromCharCode(code))
  .filter((char) => char !== '%');
const end = fc.string({ unit: literalChar, maxLength: 5 });
const separator = fc.string({ unit: fc.oneof(literalChar, fc.constantFrom(...'-2D57E')), minLength: 1, maxLength: 3 });

/** A template with as many parts as it has places, whatever stands between them. */
const template = fc
  .tuple(end, fc.array(separator, { maxLength: 3 }), end)
  .map(([head, separators, tail]) => [head, ...separators, tail]);

function make(literals: readonly string[], parts: readonly OperationIdPart[]): string {
  return id(Object.assign([...literals], { raw: literals }), ...parts);
}

/** What the parts were, read back from the ID and the template by the letter of the docs; not the product's code. */
function readBack(literals: readonly string[], made: string): string[] {
  const [head = '', ...rest] = literals;
  const tail = rest.at(-1) ?? '';
  expect(made.startsWith(head) && made.endsWith(tail)).toBe(true);
  let left = made.slice(head.length, made.length - tail.length);
  const parts: string[] = [];
  for (const between of rest.slice(0, -1)) {
    let end = 0;
    while (end < left.length && !left.startsWith(between, end)) end += left[end] === '%' ? 3 : 1;
    expect(left.startsWith(between, end)).toBe(true);
    parts.push(left.slice(0, end));
    left = left.slice(end + between.length);
  }
  return [...parts, left].map((part) =>
    part.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
  );
}

describe('an operation ID', () => {
  test('tells its parts: whatever they hold and whatever stands between them, no two lists of parts give one ID', () => {
    const made = template.chain((literals) =>
      fc.tuple(
        fc.constant(literals),
        fc.array(anyPart, { minLength: literals.length - 1, maxLength: literals.length - 1 }),
      ),
    );
    fc.assert(
      fc.property(made, ([literals, parts]) => {
        const texts = parts.map(String);
        if (texts.some((text) => !/^[\x20-\x7e]+$/.test(text))) {
          expect(() => make(literals, parts)).toThrow(RefusedError);
          return;
        }
        const text = make(literals, parts);
        expect(readBack(literals, text)).toEqual(texts);
        expect(text).toMatch(/^[\x21-\x7d]+$/);
      }),
      runs(1_500),
    );
  });

  test('that is too long is refused, and one that has just room is not; nothing is cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: tricky, minLength: 1, maxLength: 40 }),
        fc.constantFrom('', 'shop~', 'a-long-tenant-of-ours~'),
        fc.integer({ min: -1, max: 1 }),
        (part, prefix, beyond) => {
          const made = id`refund-${part}`;
          const limit = `${prefix}${made}~999`.length - beyond;
          const check = () => checkOperationId(made, prefix, limit);
          if (beyond > 0) expect(check).toThrow(RefusedError);
          else expect(check).not.toThrow();
          // Up to the last generation that has room, each key fits the provider once the ID did.
          if (beyond <= 0) expect(keyOf(made, GENERATIONS - 1, prefix).length).toBeLessThanOrEqual(limit);
          expect(keyOf(made, 1, prefix)).toBe(`${prefix}${made}`);
        },
      ),
      runs(500),
    );
    expect(GENERATION_SUFFIX_ROOM).toBe('~999'.length);
  });
});

describe('a key', () => {
  /** Every tenant that a session takes. */
  const tenant = fc.string({ unit: fc.oneof(tricky, printable), minLength: 1, maxLength: 8 }).filter(isTenant);
  const operationId = fc
    .string({ unit: fc.oneof(tricky, printable), minLength: 1, maxLength: 8 })
    .map((line) => id`${line}`);
  const generation = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: GENERATIONS - 1 }));

  test('on a shared account tells tenant, operation and generation, so that no two share one', () => {
    fc.assert(
      fc.property(tenant, operationId, generation, (name, operation, number) => {
        const key = keyOf(operation, number, keyPrefix(name, true));
        const [ofTenant, ofOperation, ofGeneration = '1', ...more] = key.split('~');
        expect([ofTenant, ofOperation, Number(ofGeneration), more]).toEqual([name, operation, number, []]);
        expect(tenantOfKey(key)).toBe(name);
      }),
      runs(500),
    );
  });

  test('on an account of its own tells operation and generation', () => {
    fc.assert(
      fc.property(tenant, operationId, generation, (name, operation, number) => {
        const [ofOperation, ofGeneration = '1', ...more] = keyOf(operation, number, keyPrefix(name, false)).split('~');
        expect([ofOperation, Number(ofGeneration), more]).toEqual([operation, number, []]);
      }),
      runs(500),
    );
  });

  test('no tenant can be named so that it reaches another one’s keys: what has ~ in it opens no session', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(() => checkName('tenant', `${one}~${other}`)).toThrow(NameInvalidError);
      }),
      runs(300),
    );
  });
});

function isTenant(text: string): boolean {
  try {
    checkName('tenant', text);
    return true;
  } catch {
    return false;
  }
}
