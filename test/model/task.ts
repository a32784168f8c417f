import type { Violation } from '../../src/testing/explorer/explore';
import { CRASH } from '../../src/testing/explorer/moves';
import type { Entry, Level } from './catalogue';
import type { Catalogue } from './catalogue-module';
import type { Mutant } from './mutant';
import { type Explorer, loadExplorer } from './plant';
import { decodeSeed, encodeSeed } from './seed';
import type { Walk } from './walks';

/** A piece of work for one thread; level and ID say where it is found in the catalogue. */
export interface Task {
  readonly kind: 'scenario' | 'walk' | 'mutant' | 'control';
  readonly level: Level;
  readonly id: string;
}

export interface Found {
  readonly task: Task;
  readonly states: number;
  readonly transitions: number;
  readonly seconds: number;
  /** Why what was looked at is not all of it; null where it is. */
  readonly incomplete: 'bounded' | 'stopped' | 'not reached' | null;
  readonly violation: FoundViolation | null;
}

export interface FoundViolation {
  readonly rules: readonly string[];
  readonly moves: number;
  readonly story: string;
  readonly seed: string;
}

const MUTANT = 'mutant/';
const CONTROL = 'control/';
const WALK = 'walk/';
const DEEP = 'deep/';

export function mutantId({ id }: Mutant): string {
  return `${MUTANT}${id}`;
}

/** Whether a rule is named that the mistake was expected to break. That the engine merely threw shows nothing. */
export function isCaught({ breaks }: Mutant, { violation }: Pick<Found, 'violation'>): boolean {
  const rule = violation?.rules[0];
  return rule !== undefined && rule !== CRASH && breaks.some((known) => rule.startsWith(known));
}

/** Loaded once a thread: only mistakes need rules of their own. */
let product: Explorer | undefined;

export function runTask(catalogue: Catalogue, task: Task): Found {
  const started = performance.now();
  const found = (part: Omit<Found, 'task' | 'seconds'>): Found => ({
    task,
    ...part,
    seconds: (performance.now() - started) / 1_000,
  });
  product ??= loadExplorer(null);
  switch (task.kind) {
    case 'scenario': {
      const { scenario, bound, reaches } = entryNamed(catalogue, task);
      const { states, transitions, complete, violation, ends } = product.explore(scenario, {
        maxStates: bound ?? catalogue.tooMany,
      });
      const short = complete ? (reaches !== null && !ends.has(reaches) ? 'not reached' : null) : cut(bound);
      const incomplete = violation === null ? short : null;
      return found({ states, transitions, incomplete, violation: told(task.id, violation) });
    }
    case 'walk': {
      const { scenario, walks, seed } = walkNamed(catalogue, task);
      const { moves, violation } = product.wander(scenario, { walks, seed });
      return found({ states: 0, transitions: moves, incomplete: null, violation: told(task.id, violation) });
    }
    case 'control': {
      const { scenario } = mutantNamed(catalogue, task.id);
      const { states, transitions, complete, violation } = product.explore(scenario, { maxStates: catalogue.tooMany });
      const incomplete = complete || violation !== null ? null : 'stopped';
      return found({ states, transitions, incomplete, violation: told(`${CONTROL}${task.id}`, violation) });
    }
    case 'mutant': {
      const { scenario, plant } = mutantNamed(catalogue, task.id);
      const { explore, engine } = loadExplorer(plant);
      const { states, transitions, violation } = explore(scenario, { engine, maxStates: catalogue.tooMany });
      return found({ states, transitions, incomplete: null, violation: told(task.id, violation) });
    }
  }
}

export interface Retold {
  readonly story: string;
  /** Whether the trace still breaks a rule. */
  readonly isBroken: boolean;
}

/** Tells the trace of a seed again. Throws a RangeError where the seed is of no scenario, or its trace leads nowhere. */
export function retellSeed(catalogue: Catalogue, text: string): Retold {
  const { id, path } = decodeSeed(text);
  const isControl = id.startsWith(CONTROL);
  const name = isControl ? id.slice(CONTROL.length) : id;
  if (name.startsWith(MUTANT)) {
    const { scenario, plant } = mutantNamed(catalogue, name);
    return retold(loadExplorer(isControl ? null : plant), scenario, path);
  }
  const level = id.startsWith(DEEP) ? 'deep' : 'full';
  const { scenario } = id.startsWith(WALK) ? walkNamed(catalogue, { id, level }) : entryNamed(catalogue, { id, level });
  return retold(loadExplorer(null), scenario, path);
}

function retold({ replay, engine }: Explorer, scenario: Entry['scenario'], path: readonly number[]): Retold {
  const { story, broken } = replay(scenario, path, engine);
  return { story, isBroken: broken.length > 0 };
}

function cut(bound: number | null): 'bounded' | 'stopped' {
  return bound === null ? 'stopped' : 'bounded';
}

function told(id: string, violation: Violation | null): FoundViolation | null {
  if (violation === null) return null;
  const { broken, path, story } = violation;
  return { rules: broken.map(({ rule }) => rule), moves: path.length, story, seed: encodeSeed({ id, path }) };
}

function entryNamed({ entriesOf }: Catalogue, { level, id }: Pick<Task, 'level' | 'id'>): Entry {
  return named(entriesOf(level), id, (entry) => entry.id);
}

function walkNamed({ walksOf }: Catalogue, { level, id }: Pick<Task, 'level' | 'id'>): Walk {
  return named(walksOf(level), id, (walk) => walk.id);
}

function mutantNamed({ mutants }: Catalogue, id: string): Mutant {
  return named(mutants, id, mutantId);
}

function named<One>(all: readonly One[], id: string, idOf: (one: One) => string): One {
  const one = all.find((each) => idOf(each) === id);
  if (one === undefined) throw new RangeError(`There is no scenario "${id}".`);
  return one;
}
