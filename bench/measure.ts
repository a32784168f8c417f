/** One of two ways to do the same. */
export interface Side {
  /** What it is, for the table. */
  readonly name: string;
  /** Does one unit. No other unit of the run has this number. */
  run(unit: number): Promise<void>;
  /** Effects of this measure's units so far, counted where they are made and not where they are asked for. */
  effects(): Promise<number>;
  /** Of a turn: the workflow that ran it. */
  workflowIdOf?(unit: number): string;
}

/** Our way against another one, unit by unit, with the same effects. */
export interface Measure {
  readonly id: string;
  readonly title: string;
  readonly unit: 'call' | 'turn';
  readonly ours: Side;
  readonly against: Side;
  readonly aim: Aim;
}

/** Of our throughput divided by the other one's, or of our time divided by the other one's. */
export type Aim =
  | { readonly of: 'throughput'; readonly atLeast: number }
  | { readonly of: 'time'; readonly atMost: number };

export function meets(aim: Aim, ratio: number): boolean {
  return aim.of === 'throughput' ? ratio >= aim.atLeast : ratio <= aim.atMost;
}
