import { activityMoves } from './activity-moves';
import { clockMoves } from './clock-moves';
import { endgame } from './endgame';
import { executionMoves } from './execution-moves';
import type { Broken } from './history-rules';
import type { Model, Move } from './model';
import { networkMoves } from './network-moves';
import { peopleMoves } from './people-moves';
import { pauseMoves, reconcileMoves } from './reconcile-moves';
import { RuleBrokenError } from './rule-broken-error';
import type { World } from './world';
import { brokenInWorld } from './world-rules';

/** What is broken where the rules throw: a mistake in them, or in the explorer. */
export const UNANSWERED = 'The rules have an answer for everything that happens';

/** Everything that may happen next, and the rules that the world as it is breaks. */
export function movesOf(model: Model, world: World): { moves: readonly Move[]; broken: readonly Broken[] } {
  try {
    return { moves: allMoves(model, world), broken: [...brokenInWorld(model, world), ...endgame(model, world)] };
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const rule = error instanceof RuleBrokenError ? error.rule : UNANSWERED;
    return { moves: [], broken: [{ rule, what }] };
  }
}

function allMoves(model: Model, world: World): Move[] {
  const started = [
    ...activityMoves(model, world),
    ...world.executions.flatMap((execution) => executionMoves(model, world, execution)),
    ...reconcileMoves(model, world),
  ];
  const unseen = started.find((move) => move.unseen);
  if (unseen) return [unseen];
  return [
    ...started,
    ...networkMoves(model, world),
    ...peopleMoves(model, world),
    ...pauseMoves(world),
    ...clockMoves(model, world),
  ];
}
