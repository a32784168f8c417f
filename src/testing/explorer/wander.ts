import { type Engine, productEngine } from './engine';
import { type Violation, violationOf } from './explore';
import { Model } from './model';
import { movesOf } from './moves';
import type { Scenario } from './scenario';
import { firstWorld } from './world';

export interface Wandering {
  readonly walks: number;
  readonly moves: number;
  readonly violation: Violation | null;
  readonly ms: number;
  readonly ends: ReadonlyMap<string, number>;
}

export interface WanderOptions {
  readonly walks: number;
  /** The same seed walks the same ways. */
  readonly seed: number;
  readonly engine?: Engine;
}

/** More walks share the model's memory of steps and histories than it is good for. */
const WALKS_PER_MODEL = 2_000;

/**
 * Random walks through a scenario that is too large to be explored: more mishaps in one trace, more calls. They prove
 * nothing where they find nothing, and their stories are not the shortest.
 */
export function wander(scenario: Scenario, { walks, seed, engine = productEngine }: WanderOptions): Wandering {
  const started = performance.now();
  const random = mulberry32(seed);
  const ends = new Map<string, number>();
  let model = new Model(scenario, engine);
  let taken = 0;
  const end = (done: number, violation: Violation | null): Wandering => {
    return { walks: done, moves: taken, violation, ms: Math.round(performance.now() - started), ends };
  };
  for (let walk = 0; walk < walks; walk++) {
    if (walk % WALKS_PER_MODEL === 0) model = new Model(scenario, engine);
    const path: number[] = [];
    let world = firstWorld(scenario);
    for (;;) {
      const { moves, broken } = movesOf(model, world);
      if (broken.length > 0) return end(walk, violationOf(model, path, broken));
      const index = Math.floor(random() * moves.length);
      const move = moves[index];
      if (!move) break;
      path.push(index);
      taken++;
      if (move.broken.length > 0) {
        return end(walk, violationOf(model, path, move.broken));
      }
      world = move.world;
    }
    const codes = world.calls.map(({ code }) => code).join(' + ');
    ends.set(codes, (ends.get(codes) ?? 0) + 1);
  }
  return end(walks, null);
}

/** A small random number generator with a seed (Tommy Ettinger's mulberry32). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
