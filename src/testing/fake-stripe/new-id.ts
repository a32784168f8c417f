import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type IdPrefix = 'pi' | 'ch' | 're' | 'evt' | 'req';

/** An ID in Stripe's form. Random, so that two processes on one journal, or two runs, never give one twice. */
export function newId(prefix: IdPrefix): string {
  const length = prefix === 'req' ? 14 : 24;
  let id = `${prefix}_`;
  for (let n = 0; n < length; n++) id += ALPHABET.charAt(randomInt(ALPHABET.length));
  return id;
}
