import type { Entry, Level } from './catalogue';
import { loadCatalogue } from './catalogue-module';
import type { Mutant } from './mutant';
import { runAll } from './pool';
import { type Found, isCaught, mutantId, type Task } from './task';

/** What one run of the check found. */
export interface Checked {
  readonly level: Level;
  readonly scenarios: readonly CheckedScenario[];
  readonly walks: readonly Found[];
  readonly mutants: readonly CheckedMutant[];
  /** The mutants' scenarios without the mistakes. */
  readonly controls: readonly Found[];
}

export interface CheckedScenario extends Pick<Entry, 'kind' | 'about' | 'bound'> {
  readonly found: Found;
}

export interface CheckedMutant {
  readonly mutant: Mutant;
  readonly found: Found;
  readonly caught: boolean;
}

export interface CheckOptions {
  readonly level: Level;
  readonly only: string | null;
  readonly onFound?: (found: Found, done: number, all: number) => void;
}

/** `module`: path of the catalogue's. */
export async function check(module: string, { level, only, onFound }: CheckOptions): Promise<Checked> {
  const catalogue = loadCatalogue(module);
  const entries = catalogue.entriesOf(level).filter(({ id, about }) => isWanted(only, id, about));
  const walks = catalogue.walksOf(level).filter(({ id, scenario }) => isWanted(only, id, scenario.name));
  const mutants = catalogue.mutants.filter((mutant) => isWanted(only, mutantId(mutant), mutant.planted));
  const tasks: Task[] = [
    ...entries.map(({ id }): Task => ({ kind: 'scenario', level, id })),
    ...walks.map(({ id }): Task => ({ kind: 'walk', level, id })),
    ...mutants.map((mutant): Task => ({ kind: 'mutant', level, id: mutantId(mutant) })),
    ...withoutMistakes(mutants).map((mutant): Task => ({ kind: 'control', level, id: mutantId(mutant) })),
  ];
  let done = 0;
  const found = await runAll(tasks, {
    catalogue: module,
    onFound: (one) => onFound?.(one, ++done, tasks.length),
  });
  const ofKind = (kind: Task['kind']) => found.filter(({ task }) => task.kind === kind);
  return {
    level,
    scenarios: ofKind('scenario').map((one, index) => ({ ...pick(entries, index), found: one })),
    walks: ofKind('walk'),
    mutants: ofKind('mutant').map((one, index) => {
      const mutant = pick(mutants, index);
      return { mutant, found: one, caught: isCaught(mutant, one) };
    }),
    controls: ofKind('control'),
  };
}

/** One mutant for each scenario. */
function withoutMistakes(mutants: readonly Mutant[]): Mutant[] {
  const first = new Map<string, Mutant>();
  for (const mutant of mutants) {
    const name = JSON.stringify(mutant.scenario);
    if (!first.has(name)) first.set(name, mutant);
  }
  return [...first.values()];
}

function isWanted(only: string | null, ...texts: readonly string[]): boolean {
  return only === null || texts.some((text) => text.includes(only));
}

function pick<One>(all: readonly One[], index: number): One {
  const one = all[index];
  if (one === undefined) throw new Error('Bug: something was found that nobody looked for.');
  return one;
}
