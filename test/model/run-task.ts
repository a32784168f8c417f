import type * as ExploreModule from '../../src/testing/explorer/explore';
import type { Exploration } from '../../src/testing/explorer/explore';
import type * as ReplayModule from '../../src/testing/explorer/replay-path';
import type * as WanderModule from '../../src/testing/explorer/wander';
import { findScenario, findWalk } from './catalogue';
import { findMutant } from './mutants';
import { plant } from './mutants/plant';
import type { Explored, Task, TaskResult } from './task';

/** Runs one task. The rules are loaded only here, after a mistake was planted in them. */
export function runTask(task: Task): TaskResult {
  switch (task.kind) {
    case 'scenario': {
      const { scenario, maxStates } = there(findScenario(task.name), task.name);
      const bound = maxStates === undefined ? {} : { maxStates };
      return { sound: explored(explorer().explore(scenario, bound)), planted: null, story: null };
    }
    case 'walk': {
      const { scenario, walks, seed } = there(findWalk(task.name), task.name);
      const { wander } = require('../../src/testing/explorer/wander.ts') as typeof WanderModule;
      const { moves, violation, ms } = wander(scenario, { walks, seed });
      return { sound: { states: 0, transitions: moves, complete: true, violation, ms }, planted: null, story: null };
    }
    case 'mutant':
      return runMutant(task.name);
    case 'replay':
      return { sound: NOTHING, planted: null, story: storyAgain(task.name, task.path) };
  }
}

const NOTHING: Explored = { states: 0, transitions: 0, complete: true, violation: null, ms: 0 };

function runMutant(name: string): TaskResult {
  const mutant = there(findMutant(name), name);
  // Before it is planted: the modules loaded for it are thrown away again.
  const sound = explored(explorer().explore(mutant.scenario));
  for (const file of Object.keys(require.cache)) if (isRule(file)) delete require.cache[file];
  const engine = plant(mutant);
  return { sound, planted: explored(explorer().explore(mutant.scenario, { engine })), story: null };
}

function storyAgain(name: string, path: readonly number[]): string {
  const mutant = findMutant(name);
  const { scenario } = there(mutant ?? findScenario(name) ?? findWalk(name), name);
  const engine = mutant === undefined ? undefined : plant(mutant);
  const { replayPath } = require('../../src/testing/explorer/replay-path.ts') as typeof ReplayModule;
  return replayPath(scenario, path, engine);
}

function there<Found>(found: Found | undefined, name: string): Found {
  if (found === undefined)
    throw new Error(`There is no scenario "${name}": was it renamed since the seed was printed?`);
  return found;
}

function explorer(): typeof ExploreModule {
  return require('../../src/testing/explorer/explore.ts');
}

function isRule(file: string): boolean {
  return /[\\/]src[\\/](operations|ledger|testing[\\/]explorer)[\\/]/.test(file);
}

function explored({ states, transitions, complete, violation, ms }: Exploration): Explored {
  return { states, transitions, complete, violation, ms };
}
