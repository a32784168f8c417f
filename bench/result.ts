import { cpus } from 'node:os';
import type { Comparison } from './compare';
import type { TurnCosts } from './turn-costs';

/** The object on the last line of stdout. */
export interface BenchResult {
  readonly benchmark: 'sendonce';
  readonly quick: boolean;
  readonly machine: { readonly node: string; readonly platform: string; readonly cores: number };
  readonly seconds: number;
  readonly measures: readonly Comparison[];
  readonly turns: readonly TurnCosts[];
}

export function machine(): BenchResult['machine'] {
  return { node: process.versions.node, platform: `${process.platform}-${process.arch}`, cores: cpus().length };
}
