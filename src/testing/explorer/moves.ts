import { activityMoves } from './activity-moves';
import { clockMoves } from './clock-moves';
import { endgame } from './endgame';
import { executionMoves } from './execution-moves';
import type { Broken } from './history-rules';
import { BrokenBelief, type Model, type Move } from './model';
import { networkMoves } from './network-moves';
import { peopleMoves } from './people-moves';
import { pauseMoves, reconcileMoves } from './reconcile-moves';
import type { World } from './world';
import { brokenInWorld } from './world-rules';

/** What breaks where the rules themselves throw: it shows that something is wrong, and not what. */
export const CRASH = 'The rules have an answer for everything that happens';

/** Everything that may happen next, and the rules that the world as it is breaks. */
export function movesOf(model: Model, world: World): { moves: readonly Move[]; broken: readonly Broken[] } {
  try {
    return { moves: allMoves(model, world), broken: [...brokenInWorld(model, world), ...endgame(model, world)] };
  } catch (error) {
    if (error instanceof BrokenBelief) {
      const what = 'An execution goes on from another history than the ledger has.';
      return {
        moves: [],
        broken: [{ rule: 'Rule 13: the version is the fence, and who lost a race reads again', what }],
      };
    }
    const what = error instanceof Error ? error.message : String(error);
    return { moves: [], broken: [{ rule: CRASH, what }] };
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
