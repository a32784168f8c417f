import { RefusedError } from './refused-error';

/** An operation's name, computed from the business content. Made by the `id` template only. */
export type OperationId = string & { readonly __brand: 'OperationId' };

/** What may stand in an operation ID: a business number or text, never an object. */
export type OperationIdPart = string | number | bigint;

/** Marks what stands for any part where a formula is tried out without business objects; never part of a real one. */
export const ANY_PART = Symbol('any part');

/** Escaped in every part wherever it stands: the escape sign itself, the generation sign of keys, and the blank. */
const ALWAYS_ESCAPED = '%~ ';

/**
 * Tagged template for operation IDs: id`refund-${order.id}-${line.id}`.
 *
 * Within one template, two different lists of parts never give one ID: in each part the characters of the separators
 * (the text between two parts), `%`, `~` and the blank are written as %XX, so `10-43` + `2` gives `refund-10%2D43-2`.
 * The text of the template itself stays as it is. Two templates can meet (one part `1043-li_2`, two parts `1043` and
 * `li_2`), so use one template a tool, with a word of its own in front.
 *
 * Throws RefusedError for a part that is empty or not printable ASCII (the model reads it), TypeError for a part that
 * is no text or whole number, and for a template that could not be told apart (a mistake in the tool's code).
 */
export function id(literals: TemplateStringsArray, ...parts: OperationIdPart[]): OperationId {
  const separators = literals.slice(1, -1);
  if (separators.some((separator) => separator === '')) {
    throw new TypeError('An operation ID needs a separator between two parts: a dash will do.');
  }
  if (parts.length === 0) {
    throw new TypeError('An operation ID needs at least one part: a fixed text would be one operation for ever.');
  }
  for (const literal of literals) checkLiteral(literal);
  const escaped = new Set(ALWAYS_ESCAPED + separators.join(''));
  return literals.reduce(
    (made, literal, index) => made + escapePart(parts[index - 1], escaped) + literal,
  ) as OperationId;
}

/** Room that is kept in a key for `~` and a generation of up to three digits. */
export const GENERATION_SUFFIX_ROOM = 4;

/** Throws RefusedError unless the ID, with the key's prefix and suffix, fits the provider; it is never cut or hashed. */
export function checkOperationId(operationId: string, keyPrefix: string, maxLength: number): void {
  if (!/^[\x21-\x7D]+$/.test(operationId)) {
    throw new RefusedError(
      `The operation ID ${JSON.stringify(operationId)} may hold printable ASCII without blanks and ~ only.`,
    );
  }
  const room = maxLength - keyPrefix.length - GENERATION_SUFFIX_ROOM;
  if (operationId.length > room) {
    throw new RefusedError(
      `The operation ID ${JSON.stringify(operationId)} has ${operationId.length} characters; the provider has room for ${room}.`,
    );
  }
}

function checkLiteral(literal: string): void {
  if (!/^[\x21-\x7D]*$/.test(literal) || literal.includes('%')) {
    throw new TypeError(
      `The text ${JSON.stringify(literal)} of an operation ID may hold printable ASCII without blanks, % and ~ only.`,
    );
  }
}

function escapePart(part: OperationIdPart | undefined, escaped: ReadonlySet<string>): string {
  const text = partText(part);
  if (text === '') throw new RefusedError('A part of the operation ID is empty.');
  if (!/^[\x20-\x7E]+$/.test(text)) {
    throw new RefusedError(`The part ${JSON.stringify(text)} of the operation ID is not printable ASCII.`);
  }
  return [...text].map((char) => (escaped.has(char) ? percent(char) : char)).join('');
}

function partText(part: OperationIdPart | undefined): string {
  if (typeof part === 'string') return part;
  if (typeof part === 'bigint') return part.toString();
  // 0.1 + 0.2 and 1e21 have more than one spelling; an ID must not depend on how a number was computed.
  if (Number.isSafeInteger(part)) return String(part);
  if (isAnyPart(part)) return '1';
  throw new TypeError(`A part of an operation ID must be a text or a whole number, not ${JSON.stringify(part)}.`);
}

function isAnyPart(part: unknown): boolean {
  return typeof part === 'function' && ANY_PART in part;
}

/** Of printable ASCII, whose codes have two digits. */
function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
