import type { Broken } from './history-rules';
import type { Model } from './model';
import { movesOf } from './moves';
import { firstWorld } from './world';

/** A trace in words: its moves again from the beginning, and what the last one breaks. */
export function storyOf(model: Model, path: readonly number[], broken: readonly Broken[]): string {
  return storyText(model, retrace(model, path).lines, broken);
}

/** The same from the path alone. Throws where the path leads nowhere: it is of other rules or of another scenario. */
export function retell(model: Model, path: readonly number[]): { story: string; broken: readonly Broken[] } {
  const { lines, broken } = retrace(model, path);
  return { story: storyText(model, lines, broken), broken };
}

function storyText({ scenario }: Model, lines: readonly string[], broken: readonly Broken[]): string {
  return [`${scenario.name}:`, ...lines, ...broken.map(({ rule, what }) => `  => ${rule}. ${what}`)].join('\n');
}

function retrace(model: Model, path: readonly number[]): { lines: readonly string[]; broken: readonly Broken[] } {
  const lines: string[] = [];
  let broken: readonly Broken[] = [];
  let world = firstWorld(model.scenario);
  for (const index of path) {
    const move = movesOf(model, world).moves[index];
    if (!move) throw new RangeError(`The trace leads nowhere after ${lines.length} moves.`);
    lines.push(`${String(lines.length + 1).padStart(3)}. ${move.story}`);
    world = move.world;
    broken = move.broken;
  }
  return { lines, broken: broken.length > 0 ? broken : movesOf(model, world).broken };
}
