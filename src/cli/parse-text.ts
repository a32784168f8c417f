import { InvalidArgumentError } from 'commander';

/** A name that is one. Throws InvalidArgumentError. */
export function parseText(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It is empty.');
  return value;
}
