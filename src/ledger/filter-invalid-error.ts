import { inspect } from 'node:util';

/** A filter for operations that none could pass. Nothing was looked for. */
export class FilterInvalidError extends Error {
  readonly code = 'SENDONCE_FILTER_INVALID';
  override readonly name = 'FilterInvalidError';
  constructor(
    readonly filter: string,
    readonly value: unknown,
    expected: string,
  ) {
    super(`The filter ${filter} is ${inspect(value, { breakLength: Number.POSITIVE_INFINITY })}. Give ${expected}.`);
  }
}

/** Throws FilterInvalidError for what is no text, as callers in JavaScript may give. */
export function checkText(filter: string, value: unknown): void {
  if (typeof value !== 'string') throw new FilterInvalidError(filter, value, 'a text');
}
