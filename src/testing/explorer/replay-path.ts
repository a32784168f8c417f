import { type Engine, productEngine } from './engine';
import { Model } from './model';
import { movesOf } from './moves';
import type { Scenario } from './scenario';
import { storyOf } from './story';
import { firstWorld } from './world';

/** The story of a way through a scenario again, with what its last move breaks. */
export function replayPath(scenario: Scenario, path: readonly number[], engine: Engine = productEngine): string {
  const model = new Model(scenario, engine);
  let world = firstWorld(scenario);
  for (const [place, index] of path.entries()) {
    const move = movesOf(model, world).moves[index];
    if (!move) throw new Error(`Move ${place + 1} is not possible any more: the rules or the scenario have changed.`);
    if (move.broken.length > 0) return storyOf(model, path.slice(0, place + 1), move.broken);
    world = move.world;
  }
  return storyOf(model, path, movesOf(model, world).broken);
}
