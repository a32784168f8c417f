import { executionMoves } from './execution-moves';
import type { Model, Move } from './model';
import { reconciliationName } from './reconciliation-name';
import { type Execution, spend, type World } from './world';

/**
 * Reconciliation comes to the operation: at any time, while another one is at work as well, for a claim is no permit.
 * Where it would do nothing it is left out.
 */
export function reconcileMoves(model: Model, world: World): Move[] {
  const { operation, events } = model.history(world);
  const registration = operation?.current.registration;
  if (world.left.reconciliations === 0 || !operation || !registration) return [];
  const registered = events.find(({ seq }) => seq === registration.seq);
  if (registered?.kind !== 'registered') throw new Error('Bug: a registration has no event.');
  const number = model.scenario.budget.reconciliations - world.left.reconciliations + 1;
  const execution: Execution = {
    call: reconciliationName(number, operation.current.number, registered.call.sessionId),
    activityAttempt: 1,
    step: model.firstStep(),
    readAt: world.now,
    commands: 0,
    busy: null,
  };
  const after: World = { ...spend(world, 'reconciliations'), executions: [...world.executions, execution] };
  return executionMoves(model, after, execution).filter(({ world: read }) => {
    const started = read.executions.find(({ call }) => call === execution.call);
    return started !== undefined && model.stepOf(started).command.kind !== 'finish';
  });
}

/** What is paused is resumed by the same people; both at any time. */
export function pauseMoves(world: World): Move[] {
  if (world.paused) {
    return [{ story: 'the provider is resumed', world: { ...world, paused: false }, broken: [], unseen: false }];
  }
  if (world.left.pauses === 0) return [];
  const after = spend({ ...world, paused: true }, 'pauses');
  return [{ story: 'the provider is paused', world: after, broken: [], unseen: false }];
}
