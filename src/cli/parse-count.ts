import { InvalidArgumentError } from 'commander';

/** How many things of a list: 1 to 1000. Throws InvalidArgumentError. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value) || Number(value) > 1_000) {
    throw new InvalidArgumentError('Give a whole number from 1 to 1000.');
  }
  return Number(value);
}
