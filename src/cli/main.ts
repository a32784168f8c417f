#!/usr/bin/env node
import { CommanderError } from 'commander';
import { endWithReader } from './print';
import { makeProgram } from './program';

async function main(): Promise<void> {
  endWithReader();
  try {
    await makeProgram().parseAsync(process.argv);
  } catch (error) {
    // Help and version come as errors, too; they have been printed.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const message = lineOf(error);
    if (message !== null) process.stderr.write(`sendonce: ${message}\n`);
    // Not left to the end of all that is open: a worker's module may have opened what keeps a process alive.
    process.exit(1);
  }
}

/** Commander's own messages in our form: one line, which says where to look. Null where help was printed instead. */
function lineOf(error: unknown): string | null {
  if (!(error instanceof CommanderError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'commander.help') return null;
  const [first = '', ...more] = error.message.replace(/^error: /, '').split(/\s*\n\s*/);
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/(?<![.?!])$/, '.');
  return [sentence, ...more, 'See --help.'].join(' ');
}

void main();
