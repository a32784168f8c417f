import { join } from 'node:path';
import { type Arguments, readArguments, USAGE } from './arguments';
import { check } from './check';
import { retellOnThread } from './pool';
import { report } from './report';
import type { Found } from './task';
import { problemsOf, sumLine } from './verdict';

/** Where it speaks, and what it checks. */
export interface MainOptions {
  /** Path of the catalogue's module. */
  readonly catalogue?: string;
  readonly out?: (text: string) => void;
  readonly progress?: (line: string) => void;
}

/** Returns the exit code: 0 where all is as it must be, 1 where it is not, 2 where it was asked wrongly. */
export async function main(args: readonly string[], options: MainOptions = {}): Promise<number> {
  const {
    catalogue = join(__dirname, 'whole'),
    out = (text) => process.stdout.write(`${text}\n`),
    progress = (line) => process.stderr.write(`${line}\n`),
  } = options;
  const refuse = (error: unknown) => {
    progress(`model: ${error instanceof Error ? error.message : String(error)} See --help.`);
    return 2;
  };
  let read: Arguments;
  try {
    read = readArguments(args);
  } catch (error) {
    return refuse(error);
  }
  const { help, level, only, replay } = read;
  if (help) {
    out(USAGE);
    return 0;
  }
  if (replay !== null) {
    try {
      const { story, isBroken } = await retellOnThread(catalogue, replay);
      out(isBroken ? story : `${story}\n  It breaks no rule.`);
      return isBroken ? 1 : 0;
    } catch (error) {
      if (error instanceof RangeError) return refuse(error);
      throw error;
    }
  }
  const checked = await check(catalogue, {
    level,
    only,
    onFound: (found, done, all) => progress(progressLine(found, done, all)),
  });
  const { scenarios, walks, mutants } = checked;
  if (scenarios.length + walks.length + mutants.length === 0) {
    return refuse(new RangeError(`Nothing has "${only}" in its name or description.`));
  }
  // A few mistakes can be read; the stories of all of them hide the tables.
  out(report(checked, { withMistakes: only !== null }));
  const problems = problemsOf(checked);
  if (problems.length > 0) out(['', ...problems.map((problem) => `not as it must be: ${problem}`)].join('\n'));
  out(`\n${sumLine(checked)}`);
  return problems.length === 0 ? 0 : 1;
}

function progressLine(found: Found, done: number, all: number): string {
  const { task, states, transitions, seconds, incomplete, violation } = found;
  const place = `[${String(done).padStart(String(all).length)}/${all}]`;
  const name = task.kind === 'control' ? `${task.id}, without it` : task.id;
  const what = violation === null ? '' : `, ${violation.rules[0]}, in ${violation.moves} moves`;
  const how = incomplete === null ? '' : `, ${incomplete}`;
  return `${place} ${name}: ${states} states, ${transitions} transitions, ${seconds.toFixed(1)} s${how}${what}`;
}
