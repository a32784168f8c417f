import { hash } from 'node:crypto';
import { type Engine, productEngine } from './engine';
import type { Broken } from './history-rules';
import { Model } from './model';
import { movesOf } from './moves';
import type { Scenario } from './scenario';
import { storyOf } from './story';
import { firstWorld, type World } from './world';

export interface Exploration {
  /** Distinct worlds reached. */
  readonly states: number;
  /** Moves from one of them to another, or to itself. */
  readonly transitions: number;
  /** Whether all of them were, within the scenario's bounds. */
  readonly complete: boolean;
  /** The shortest trace that breaks a rule, as a story; null where none does. */
  readonly violation: Violation | null;
  readonly ms: number;
  /** How many traces ended in which way, by the codes the calls were told. */
  readonly ends: ReadonlyMap<string, number>;
}

export interface Violation {
  readonly broken: readonly Broken[];
  /** Which of the possible moves was made, one after the other. */
  readonly path: readonly number[];
  readonly story: string;
}

export interface ExploreOptions {
  readonly engine?: Engine;
  /** Worlds after which the exploration stops: a bound on time, not a promise. */
  readonly maxStates?: number;
}

/** Every interleaving of a scenario, breadth first, each world once. Stops at the first rule that is broken. */
export function explore(scenario: Scenario, options: ExploreOptions = {}): Exploration {
  const started = performance.now();
  const { engine = productEngine, maxStates = 2_000_000 } = options;
  const model = new Model(scenario, engine);
  const ends = new Map<string, number>();
  const first = firstWorld(scenario);
  const seen = new Set([nameOf(first)]);
  const from: number[] = [-1];
  const by: number[] = [0];
  let transitions = 0;
  let frontier: { id: number; world: World }[] = [{ id: 0, world: first }];
  const end = (violation: Violation | null, complete: boolean): Exploration => {
    return { states: seen.size, transitions, complete, violation, ms: Math.round(performance.now() - started), ends };
  };
  while (frontier.length > 0) {
    const next: typeof frontier = [];
    for (const { id, world } of frontier) {
      const { moves, broken } = movesOf(model, world);
      if (broken.length > 0) return end(violationOf(model, path(from, by, id), broken), false);
      for (const [index, move] of moves.entries()) {
        transitions++;
        if (move.broken.length > 0) {
          return end(violationOf(model, [...path(from, by, id), index], move.broken), false);
        }
        const name = nameOf(move.world);
        if (seen.has(name)) continue;
        if (seen.size >= maxStates) return end(null, false);
        seen.add(name);
        from.push(id);
        by.push(index);
        next.push({ id: from.length - 1, world: move.world });
      }
      if (moves.length === 0) {
        const codes = world.calls.map(({ code }) => code).join(' + ');
        ends.set(codes, (ends.get(codes) ?? 0) + 1);
      }
    }
    frontier = next;
  }
  return end(null, true);
}

export function violationOf(model: Model, path: readonly number[], broken: readonly Broken[]): Violation {
  return { broken, path, story: storyOf(model, path, broken) };
}

/** Naming is most of the work, and the names of what is left are the same in all worlds: its numbers are enough. */
function nameOf({ left, ...world }: World): string {
  return hash('md5', JSON.stringify([world, Object.values(left)]), 'base64');
}

function path(from: readonly number[], by: readonly number[], id: number): number[] {
  const moves: number[] = [];
  for (let at = id; at > 0; at = from[at] ?? 0) moves.unshift(by[at] ?? 0);
  return moves;
}
