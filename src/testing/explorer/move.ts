import type { CommandResult } from '../../operations/command';
import type { Broken } from './history-rules';
import type { Model, Move } from './model';
import type { Execution, World } from './world';

export function nameOf({ call, activityAttempt }: Pick<Execution, 'call' | 'activityAttempt'>): string {
  return `${call}#${activityAttempt}`;
}

export function isSame(
  one: Pick<Execution, 'call' | 'activityAttempt'>,
  other: Pick<Execution, 'call' | 'activityAttempt'>,
): boolean {
  return one.call === other.call && one.activityAttempt === other.activityAttempt;
}

export function move(story: string, world: World, broken: readonly Broken[] = []): Move {
  return { story, world, broken, unseen: false };
}

export function unseen(story: string, world: World, broken: readonly Broken[] = []): Move {
  return { story, world, broken, unseen: true };
}

/** The execution with the result of its command in hand. */
export function advance(model: Model, world: World, execution: Execution, result: CommandResult): World {
  const step = model.nextStep(world, execution, result);
  return replace(world, { ...execution, step, commands: execution.commands + 1, busy: null });
}

export function replace(world: World, execution: Execution): World {
  return { ...world, executions: world.executions.map((known) => (isSame(known, execution) ? execution : known)) };
}

export function remove(world: World, execution: Execution): World {
  return { ...world, executions: world.executions.filter((known) => !isSame(known, execution)) };
}

/** The execution with a result in hand, in the world as it is or in another. */
export type Go = (result: CommandResult, after?: World) => World;
