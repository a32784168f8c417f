// Needs nothing.
import fc from 'fast-check';
import { keyMaxLength, keyOf, keyPrefix } from '../../src/operations/key';
import { ANY_PART, checkOperationId, GENERATION_SUFFIX_ROOM, id } from '../../src/operations/operation-id';
import { RefusedError } from '../../src/operations/refused-error';
import { CONTRACT } from './fixtures';

/** Printable ASCII, with the characters that could tear parts apart more often than by chance. */
const part = fc.string({
  minLength: 1,
  maxLength: 8,
  unit: fc.oneof(
    fc.constantFrom('-', '%', '~', ' ', '2', 'D', '5', ':', '/'),
    fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  ),
});

describe('an operation ID', () => {
  test('is the template with its parts', () => {
    expect(id`refund-${1043}-${'li_2'}`).toBe('refund-1043-li_2');
    expect(id`refund-${1043n}`).toBe('refund-1043');
  });

  test('keeps pairs apart that a separator could join', () => {
    expect(id`refund-${'10-43'}-${'2'}`).toBe('refund-10%2D43-2');
    expect(id`refund-${'10'}-${'43-2'}`).toBe('refund-10-43%2D2');
  });

  test('escapes what stands between parts, each sign of it, and nothing else', () => {
    expect(id`refund-${'Stryker was'}:${'a-b:c'}-${'here!'}`).toBe('refund-Stryker%20was:a%2Db%3Ac-here!');
  });

  test('escapes the escape sign, the generation sign and the blank in every part', () => {
    expect(id`mail-${'a%b~c d'}`).toBe('mail-a%25b%7Ec%20d');
  });

  test.each([
    ['a dash', (one: string, two: string) => id`refund-${one}-${two}`],
    ['a separator of several characters', (one: string, two: string) => id`${one}::${two}`],
    ['a separator that occurs in escapes', (one: string, two: string) => id`${one}2${two}`],
    ['a separator of letters of escapes', (one: string, two: string) => id`x${one}D2${two}y`],
  ])('two different pairs never give one ID: %s', (_name, make) => {
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        fc.pre(a !== c || b !== d);
        expect(make(a, b)).not.toBe(make(c, d));
      }),
      { numRuns: 2_000 },
    );
  });

  test('two different triples never give one ID, whatever stands between the parts', () => {
    const triple = fc.tuple(part, part, part);
    fc.assert(
      fc.property(triple, triple, ([a, b, c], [d, e, f]) => {
        fc.pre(a !== d || b !== e || c !== f);
        expect(id`${a}-${b}:${c}`).not.toBe(id`${d}-${e}:${f}`);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is printable ASCII without blanks and ~, so it passes its own check', () => {
    fc.assert(
      fc.property(part, part, (a, b) => {
        const made = id`refund-${a}-${b}`;
        expect(() => checkOperationId(made, '', 255)).not.toThrow();
      }),
    );
  });

  test.each([
    ['an empty part', '', 'A part of the operation ID is empty.'],
    ['a part that is not ASCII', 'Käse', 'The part "Käse" of the operation ID is not printable ASCII.'],
    ['a line break', 'a\nb', 'The part "a\\nb" of the operation ID is not printable ASCII.'],
  ])('%s is refused in words for the model', (_name, text, why) => {
    expect(() => id`refund-${text}`).toThrow(new RefusedError(why));
  });

  test.each([
    ['a broken number', 0.5, '0.5'],
    ['a number without a single spelling', 2 ** 53, '9007199254740992'],
    ['no number', Number.NaN, 'null'],
    ['an object', {} as string, '{}'],
  ])('%s is a mistake in the code', (_name, value, shown) => {
    expect(() => id`refund-${value}`).toThrow(
      new TypeError(`A part of an operation ID must be a text or a whole number, not ${shown}.`),
    );
  });

  test('a template that could not be told apart is a mistake in the code', () => {
    expect(() => id`refund-${1}${2}`).toThrow('An operation ID needs a separator between two parts: a dash will do.');
    expect(() => id`refund`).toThrow(
      'An operation ID needs at least one part: a fixed text would be one operation for ever.',
    );
    const odd = (text: string) =>
      `The text ${JSON.stringify(text)} of an operation ID may hold printable ASCII without blanks, % and ~ only.`;
    expect(() => id`re fund-${1}`).toThrow(odd('re fund-'));
    expect(() => id`re%fund-${1}`).toThrow(odd('re%fund-'));
    expect(() => id`re~fund-${1}`).toThrow(odd('re~fund-'));
    expect(() => id`${1}-fünd`).toThrow(odd('-fünd'));
  });

  test('leaves room in the key for the tenant and for three digits of a generation, and is never cut', () => {
    const longest = 'a'.repeat(38 - 'shop~'.length - GENERATION_SUFFIX_ROOM);
    expect(() => checkOperationId(longest, 'shop~', 38)).not.toThrow();
    expect(keyOf(longest, 999, 'shop~')).toHaveLength(38);
    expect(() => checkOperationId(`${longest}a`, 'shop~', 38)).toThrow(
      new RefusedError(`The operation ID "${longest}a" has 30 characters; the provider has room for 29.`),
    );
  });

  test.each(['', 'a b', 'a~2', 'ä'])('%j is refused', (text) => {
    expect(() => checkOperationId(text, '', 255)).toThrow(
      new RefusedError(`The operation ID ${JSON.stringify(text)} may hold printable ASCII without blanks and ~ only.`),
    );
  });

  test('has a part that stands for any where a formula is tried out', () => {
    const any = Object.assign(() => undefined, { [ANY_PART]: true }) as unknown as string;
    expect(id`refund-${any}-${'li_2'}`).toBe('refund-1-li_2');
    expect(() => id`refund-${(() => undefined) as unknown as string}`).toThrow(TypeError);
  });
});

describe('a key', () => {
  test('is the operation ID, from the second generation on with ~n, behind tenant~ where an account is shared', () => {
    expect(keyOf('refund-1043-li_2', 1, keyPrefix('shop', false))).toBe('refund-1043-li_2');
    expect(keyOf('refund-1043-li_2', 2, keyPrefix('shop', false))).toBe('refund-1043-li_2~2');
    expect(keyOf('refund-1043-li_2', 3, keyPrefix('shop', true))).toBe('shop~refund-1043-li_2~3');
  });

  test('is as long as the provider allows; an ID without a key keeps rows and screens readable', () => {
    const { key } = CONTRACT;
    if (key === 'none') throw new Error('The fixture has a key.');
    expect(keyMaxLength({ ...CONTRACT, key: { ...key, maxLength: 38 } })).toBe(38);
    expect(keyMaxLength({ ...CONTRACT, key: 'none' })).toBe(255);
  });

  test('belongs to one operation, one generation and, in a shared account, one tenant', () => {
    const named = fc.record({
      tenant: part.map((text) => text.replaceAll('~', '')).filter((text) => text !== ''),
      line: part,
      generation: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(named, named, fc.boolean(), (one, other, shared) => {
        fc.pre(
          one.line !== other.line || one.generation !== other.generation || (shared && one.tenant !== other.tenant),
        );
        const keyFor = ({ tenant, line, generation }: typeof one) =>
          keyOf(id`refund-${line}`, generation, keyPrefix(tenant, shared));
        expect(keyFor(one)).not.toBe(keyFor(other));
      }),
      { numRuns: 2_000 },
    );
  });
});
