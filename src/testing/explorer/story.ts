import type { Broken } from './history-rules';
import type { Model } from './model';
import { movesOf } from './moves';
import { firstWorld } from './world';

/** A trace in words: its moves again from the beginning, and what the last one breaks. */
export function storyOf(model: Model, path: readonly number[], broken: readonly Broken[]): string {
  const lines: string[] = [];
  let world = firstWorld(model.scenario);
  for (const index of path) {
    const move = movesOf(model, world).moves[index];
    if (!move) throw new Error('Bug: a trace cannot be told again.');
    lines.push(`${String(lines.length + 1).padStart(3)}. ${move.story}`);
    world = move.world;
  }
  return [`${model.scenario.name}:`, ...lines, ...broken.map(({ rule, what }) => `  => ${rule}. ${what}`)].join('\n');
}
