import { type Comparison, compare, type Size } from './compare';
import { Downstream } from './downstream';
import { guardedTurn } from './guarded-turn';
import { markAndRecord } from './mark-and-record';
import type { Measure } from './measure';
import { newOperation } from './new-operation';
import { settledCall } from './settled-call';
import type { Stage } from './stage';
import { threeCalls } from './three-calls';
import { type TurnCosts, turnCosts } from './turn-costs';

type Sizes = Readonly<Record<Measure['unit'], readonly Size[]>>;

/** Rounds of about a second: short beside the drift of a shared machine. */
const SIZES: Sizes = {
  call: [
    { atATime: 1, rounds: 11, roundMs: 500, warmUpUnits: 200 },
    { atATime: 16, rounds: 11, roundMs: 500, warmUpUnits: 800 },
  ],
  turn: [
    { atATime: 1, rounds: 9, roundMs: 1_500, warmUpUnits: 5 },
    { atATime: 16, rounds: 7, roundMs: 1_500, warmUpUnits: 16 },
  ],
};
const QUICK_SIZES: Sizes = {
  call: [
    { atATime: 1, rounds: 2, roundMs: 50, warmUpUnits: 5 },
    { atATime: 16, rounds: 2, roundMs: 50, warmUpUnits: 16 },
  ],
  turn: [
    { atATime: 1, rounds: 2, roundMs: 1, warmUpUnits: 1 },
    { atATime: 16, rounds: 1, roundMs: 1, warmUpUnits: 1 },
  ],
};

/** Turns that run alone, for where their time goes. */
const LONE_TURNS = 15;

export interface Results {
  readonly measures: readonly Comparison[];
  readonly turns: readonly TurnCosts[];
}

export interface MeasureOptions {
  readonly quick: boolean;
  /** The measures to run, by ID; null for all. */
  readonly only: readonly string[] | null;
  readonly say: (line: string) => void;
}

export async function runMeasures(stage: Stage, { quick, only, say }: MeasureOptions): Promise<Results> {
  const { stores, ours, aiSdk } = stage;
  const downstream = new Downstream();
  const measures = [
    markAndRecord(stores, downstream),
    newOperation(stores, downstream),
    await settledCall(stores, downstream),
    guardedTurn(ours),
    ...threeCalls(ours, aiSdk),
  ];
  const missing = only?.find((id) => !measures.some((measure) => measure.id === id));
  if (missing !== undefined) {
    throw new Error(`There is no measure ${missing}: choose one of ${measures.map(({ id }) => id).join(', ')}.`);
  }
  const comparisons: Comparison[] = [];
  const turns: TurnCosts[] = [];
  for (const measure of measures) {
    if (only !== null && !only.includes(measure.id)) continue;
    for (const size of (quick ? QUICK_SIZES : SIZES)[measure.unit]) {
      const { rounds, atATime } = size;
      say(`${measure.title}, ${atATime} at a time: ${rounds} rounds`);
      const comparison = await compare(measure, size);
      say(`  ratio of ${measure.aim.of} ${comparison.ratio.median.toFixed(2)}`);
      comparisons.push(comparison);
    }
    if (measure.unit === 'turn') turns.push(await turnCosts(stage, measure, quick ? 1 : LONE_TURNS));
  }
  return { measures: comparisons, turns };
}
