import { type Duration, days, hours, minutes, seconds } from '../../operations/time';
import { ArgumentError } from '../argument-error';

const UNITS = { s: seconds, m: minutes, h: hours, d: days } as const;

/** Longer than anything falls due in, and far from what a clock cannot show any more. */
const LONGEST = days(3_650);

/** `+25h`, `90s`: how far the clock shall move. Throws ArgumentError. */
export function parseMove(text: string): Duration {
  if (text.startsWith('-')) throw new ArgumentError(`The clock moves forward only, so ${text} is no move. See --help.`);
  const [, count, unit] = /^\+?(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined) {
    throw new ArgumentError(
      `What is ${JSON.stringify(text)}? Say how far: a whole number and s, m, h or d, for example +25h. See --help.`,
    );
  }
  const by = UNITS[unit as keyof typeof UNITS](Number(count));
  if (by === 0 || by > LONGEST) throw new ArgumentError(`The clock moves by a second to ten years, not by ${text}.`);
  return by;
}
