import { InvalidArgumentError } from 'commander';
import { type Duration, days, hours, minutes, seconds } from '../operations/time';

const UNITS = { s: seconds, m: minutes, h: hours, d: days } as const;

/** `90s`, `15m`, `1h`, `2d`. Throws InvalidArgumentError. */
export function parseAge(text: string): Duration {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('Give a number and s, m, h or d, for example 1h.');
  return UNITS[unit as keyof typeof UNITS](Number(count));
}
