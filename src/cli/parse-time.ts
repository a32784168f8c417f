import { InvalidArgumentError } from 'commander';
import type { Instant } from '../operations/time';

/** ISO 8601 with its offset: without one, a time is another moment on another machine. Throws InvalidArgumentError. */
export function parseTime(text: string): Instant {
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = isWhole ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) {
    throw new InvalidArgumentError('Give a time with its offset, for example 2026-11-30T20:15:00Z.');
  }
  return instant;
}
