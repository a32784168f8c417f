import { ConformanceSetupError } from './conformance-setup-error';
import type { Downstream } from './downstream';
import { shown } from './shown';

/** One promise that can be checked by itself. */
export interface CheckedPromise<World> {
  /** The promise, in one sentence: also the name of its test. */
  readonly promise: string;
  /** Why it cannot be checked here; null where it can. Asked before anything is started. */
  readonly notChecked?: (world: World) => string | null;
  /** Throws what `broken` makes where the promise is broken. */
  readonly check: (world: World) => Promise<void>;
}

/** Where promises are checked. */
export interface PromiseWorld {
  readonly downstream: Downstream;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What became of one promise. */
export interface Finding {
  /** The promise, in one sentence. */
  readonly promise: string;
  /** How it is broken, in words; null where it is kept, or was not checked. */
  readonly broken: string | null;
  /** Why it was not checked; null where it was. */
  readonly notChecked: string | null;
}

/** A promise does not hold. Its message says how. */
class PromiseBrokenError extends Error {
  override readonly name = 'PromiseBroken';
}

export function broken(words: string): Error {
  return new PromiseBrokenError(words);
}

/** Checks one promise after the other. */
export async function findingsOf<World extends PromiseWorld>(
  promises: readonly CheckedPromise<World>[],
  world: World,
): Promise<readonly Finding[]> {
  try {
    await world.start();
    const findings: Finding[] = [];
    for (const promise of promises) findings.push(await findingOf(promise, world));
    return findings;
  } finally {
    await world.stop();
  }
}

export async function findingOf<World extends PromiseWorld>(
  { promise, notChecked, check }: CheckedPromise<World>,
  world: World,
): Promise<Finding> {
  const why = notChecked?.(world) ?? null;
  if (why !== null) return { promise, broken: null, notChecked: why };
  try {
    await check(world);
    return { promise, broken: null, notChecked: null };
  } catch (error) {
    if (error instanceof ConformanceSetupError) throw error;
    const words = error instanceof PromiseBrokenError ? error.message : `It could not be shown: ${shown(error)}`;
    return { promise, broken: words, notChecked: null };
  } finally {
    // A check that ended early leaves its faults behind, and the next one is of other promises.
    world.downstream.calm();
  }
}
