/**
 * A length of time in milliseconds. Made by the functions below only, so that a bare number cannot pass for one.
 * It is a plain number at run time and survives JSON.
 */
export type Duration = number & { readonly __unit: 'milliseconds' };

/** A moment on the ledger's clock: milliseconds since the Unix epoch, UTC. Never a local clock's. */
export type Instant = number;

/**
 * So many milliseconds, rounded to whole ones: the ledger's clock counts no parts of them (a third of a second has one).
 * Throws RangeError for less than zero and for what is no number.
 */
export function milliseconds(count: number): Duration {
  if (!Number.isFinite(count) || count < 0) {
    throw new RangeError(`A duration must be zero or a positive number of milliseconds, not ${String(count)}.`);
  }
  return Math.round(count) as Duration;
}

/** So many seconds. Throws RangeError as `milliseconds` does. */
export const seconds = (count: number): Duration => milliseconds(count * 1_000);
/** So many minutes. Throws RangeError as `milliseconds` does. */
export const minutes = (count: number): Duration => milliseconds(count * 60_000);
/** So many hours. Throws RangeError as `milliseconds` does. */
export const hours = (count: number): Duration => milliseconds(count * 3_600_000);
/** So many days of 24 hours. Throws RangeError as `milliseconds` does. */
export const days = (count: number): Duration => milliseconds(count * 86_400_000);
