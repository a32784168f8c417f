import { InvalidArgumentError } from 'commander';

/** An empty one is a shell's variable that is not set. Throws InvalidArgumentError. */
export function parseText(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It is empty.');
  return value;
}
