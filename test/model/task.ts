import type { Violation } from '../../src/testing/explorer/explore';

/** What one thread does: a scenario, a random walk or a mutant by its name, or a seed's path through one of them. */
export type Task =
  | { readonly kind: 'scenario' | 'walk' | 'mutant'; readonly name: string }
  | { readonly kind: 'replay'; readonly name: string; readonly path: readonly number[] };

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  /** Whether it was explored whole. */
  readonly complete: boolean;
  readonly violation: Violation | null;
  readonly ms: number;
}

export interface TaskResult {
  /** With the rules as they are. */
  readonly sound: Explored;
  /** With the mistake planted; of a mutant only. */
  readonly planted: Explored | null;
  /** What a seed tells; of a replay only. */
  readonly story: string | null;
}
