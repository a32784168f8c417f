// Needs nothing.
import fc from 'fast-check';
import { canonicalDefaultIntent, canonicalIntent, VOLATILE_FIELDS } from '../../src/operations/intent';

describe('a canonical intent', () => {
  test('has sorted keys at every depth', () => {
    expect(canonicalIntent({ b: 1, a: { d: [{ y: 1, x: 2 }], c: null } })).toBe(
      '{"a":{"c":null,"d":[{"x":2,"y":1}]},"b":1}',
    );
  });

  test('leaves out what is undefined, and nothing that it names', () => {
    expect(canonicalIntent({ timestamp: '09:00', lines: [{ nonce: 'y', line: 2 }], note: undefined })).toBe(
      '{"lines":[{"line":2,"nonce":"y"}],"timestamp":"09:00"}',
    );
  });

  test('that nobody chose leaves out what is volatile, at every depth', () => {
    const objects = { quantity: 1, timestamp: 'x', at: new Date(0), lines: [{ nonce: 'y', line: 2 }], note: undefined };
    expect(canonicalDefaultIntent(objects)).toBe('{"at":"1970-01-01T00:00:00.000Z","lines":[{"line":2}],"quantity":1}');
    expect(VOLATILE_FIELDS).toEqual(['timestamp', 'request_time', 'nonce', 'trace_id']);
  });

  test.each([
    [undefined, 'null'],
    [null, 'null'],
    [12n, '"12"'],
    [{ amount: 4_900n }, '{"amount":"4900"}'],
    [new Date(Date.UTC(2026, 0, 1)), '"2026-01-01T00:00:00.000Z"'],
    [-0, '0'],
  ])('%j is %s', (intent, text) => {
    expect(canonicalIntent(intent)).toBe(text);
  });

  test('does not depend on the order of fields, and reads back as what it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const text = canonicalIntent(value);
        expect(canonicalIntent(reversed(value))).toBe(text);
        expect(canonicalIntent(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('differs where the content differs', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), fc.string(), fc.integer(), (content, name, value) => {
        fc.pre((content as Record<string, number>)[name] !== value);
        fc.pre(name !== '__proto__');
        expect(canonicalIntent({ ...content, [name]: value })).not.toBe(canonicalIntent(content));
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}
