import { inspect } from 'node:util';

/** A tenant, customer, session or request key that cannot be used. Nothing was stored or started. */
export class NameInvalidError extends Error {
  readonly code = 'SENDONCE_NAME_INVALID';
  override readonly name = 'NameInvalidError';
  constructor(
    readonly subject: string,
    readonly value: unknown,
  ) {
    super(
      `The ${subject} ${inspect(value, { maxStringLength: NAME_MAX })} must be 1 to ${NAME_MAX} printable ASCII characters without blanks, "/" and "~".`,
    );
  }
}

/** They become parts of workflow IDs, call IDs and provider keys, which have limits of their own. */
const NAME_MAX = 128;

/** Throws NameInvalidError. `/` separates the parts of our IDs, `~` those of keys. */
export function checkName(subject: string, value: unknown): void {
  if (typeof value !== 'string' || value.length > NAME_MAX || !/^[\x21-\x2E\x30-\x7D]+$/.test(value)) {
    throw new NameInvalidError(subject, value);
  }
}
