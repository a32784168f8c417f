import { type Arguments, LEVELS, readArguments, USAGE } from './arguments';
import { SCENARIOS, WALKS } from './catalogue';
import { findMutant, MUTANTS } from './mutants';
import { runTaskAlone, runTasks } from './pool';
import { type Entry, failures, report, sumLine } from './report';
import { readSeed, seedText } from './seed';
import type { Task, TaskResult } from './task';

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let read: Arguments;
  try {
    read = readArguments(args);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if (read.help) {
    console.log(USAGE);
    return 0;
  }
  if (read.replay !== null) return tellAgain(read.replay);
  const tasks = tasksOf(read);
  if (tasks.length === 0) return refuse(`Nothing is named "${read.only}".`);

  const entries: Entry[] = [];
  const started = performance.now();
  await runTasks(tasks, read.threads, (task, result) => {
    entries.push({ task, result });
    const elapsed = ((performance.now() - started) / 1_000).toFixed(0);
    process.stderr.write(`model: ${entries.length}/${tasks.length}, ${elapsed} s: ${progress(task, result)}\n`);
    // Of a planted mistake only where it was asked for: there are many of them.
    const violation = result.sound.violation ?? (read.only === null ? null : result.planted?.violation);
    if (violation) {
      const seed = seedText({ name: task.name, path: violation.path });
      process.stderr.write(`\n${violation.story}\n\nAgain: npm run model -- --replay '${seed}'\n\n`);
    }
  });
  // In the order of the catalogue, whichever ended first.
  entries.sort((one, other) => tasks.indexOf(one.task) - tasks.indexOf(other.task));
  console.log(report(entries));
  const why = failures(entries);
  for (const line of why) console.log(line);
  console.log(sumLine(entries));
  return why.length === 0 ? 0 : 1;
}

function tasksOf({ level, only }: Arguments): Task[] {
  const isNamed = ({ name }: { readonly name: string }) => only === null || name.includes(only);
  const isIn = (entry: { readonly level: (typeof LEVELS)[number] }) =>
    LEVELS.indexOf(entry.level) <= LEVELS.indexOf(level);
  return [
    ...SCENARIOS.filter(isIn).map(({ scenario: { name } }): Task => ({ kind: 'scenario', name })),
    ...WALKS.filter(isIn).map(({ scenario: { name } }): Task => ({ kind: 'walk', name })),
    ...MUTANTS.map(({ name }): Task => ({ kind: 'mutant', name })),
  ].filter(isNamed);
}

function progress({ kind, name }: Task, { sound, planted }: TaskResult): string {
  const violated = sound.violation ? `broken: ${sound.violation.broken[0]?.rule}` : 'nothing broken';
  if (kind === 'walk') return `${name}: ${sound.transitions} moves of random walks, ${violated}`;
  if (kind === 'mutant') return `planted: ${name}: ${planted?.violation?.broken[0]?.rule ?? 'NOT CAUGHT'}`;
  return `${name}: ${sound.states} states, ${sound.transitions} transitions, ${(sound.ms / 1_000).toFixed(1)} s, ${violated}`;
}

async function tellAgain(text: string): Promise<number> {
  const seed = readSeed(text);
  if (seed === null) return refuse(`"${text}" is no seed: one looks like "an_answer_is_lost@0.3.1".`);
  try {
    const { story } = await runTaskAlone({ kind: 'replay', ...seed });
    if (findMutant(seed.name)) console.log(`With a mistake planted: ${seed.name}.`);
    console.log(story);
    return 0;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(why: string): number {
  console.error(`model: ${why} See npm run model -- --help.`);
  return 2;
}
