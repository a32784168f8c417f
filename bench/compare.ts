import { performance } from 'node:perf_hooks';
import { type Aim, type Measure, meets, type Side } from './measure';

export interface Size {
  /** Units that are under way together, on each side. */
  readonly atATime: number;
  readonly rounds: number;
  /** How long one side of a round shall last; its number of units is set by the slower side's warm-up. */
  readonly roundMs: number;
  /** Units of each side before the first round, not counted: connections are opened, statements prepared, code compiled. */
  readonly warmUpUnits: number;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface SideResult {
  readonly name: string;
  readonly perSecond: Spread;
  /** Mean time from the start to the end of one unit, in milliseconds. */
  readonly msPerUnit: Spread;
  /** Of this process, which is client and worker; the servers have their own. */
  readonly cpuMsPerUnit: Spread;
  readonly effects: number;
}

export interface Comparison {
  readonly id: string;
  readonly title: string;
  readonly unit: Measure['unit'];
  readonly atATime: number;
  readonly rounds: number;
  readonly unitsPerRound: number;
  readonly ours: SideResult;
  readonly against: SideResult;
  /** Round by round: the two halves of one round stand next to each other in time. */
  readonly ratio: Spread;
  readonly aim: Aim;
  readonly aimMet: boolean;
}

let units = 0;

/**
 * Runs the sides in turns, so that whatever else the machine does hits both: ours first in one round, the other one
 * first in the next.
 */
export async function compare(measure: Measure, size: Size): Promise<Comparison> {
  const { id, title, unit, ours, against, aim } = measure;
  const before = [await ours.effects(), await against.effects()] as const;
  const { atATime } = size;
  const warmUp = [await timed(ours, atATime, size.warmUpUnits), await timed(against, atATime, size.warmUpUnits)];
  const slowest = Math.max(...warmUp.map(({ ms }) => ms / size.warmUpUnits));
  const unitsPerRound = atATime * Math.max(1, Math.round(size.roundMs / slowest / atATime));
  const batch = (side: Side) => timed(side, atATime, unitsPerRound);
  const rounds: Round[] = [];
  for (let round = 1; round <= size.rounds; round++) {
    if (round % 2 === 1) {
      rounds.push({ ours: await batch(ours), against: await batch(against) });
    } else {
      const first = await batch(against);
      rounds.push({ ours: await batch(ours), against: first });
    }
  }
  const ratio = spread(
    rounds.map((each) => (aim.of === 'time' ? each.ours.ms / each.against.ms : each.against.ms / each.ours.ms)),
  );
  const resultOf = async (side: 'ours' | 'against', effectsBefore: number): Promise<SideResult> => ({
    name: measure[side].name,
    perSecond: spread(rounds.map((each) => (unitsPerRound * 1_000) / each[side].ms)),
    msPerUnit: spread(rounds.map((each) => (each[side].ms * atATime) / unitsPerRound)),
    cpuMsPerUnit: spread(rounds.map((each) => each[side].cpuMs / unitsPerRound)),
    effects: (await measure[side].effects()) - effectsBefore,
  });
  return {
    ...{ id, title, unit, atATime, rounds: size.rounds, unitsPerRound },
    ours: await resultOf('ours', before[0]),
    against: await resultOf('against', before[1]),
    ...{ ratio, aim, aimMet: meets(aim, ratio.median) },
  };
}

/** The number of a unit that was not run yet. */
export function nextUnit(): number {
  return ++units;
}

interface Timing {
  readonly ms: number;
  readonly cpuMs: number;
}

interface Round {
  readonly ours: Timing;
  readonly against: Timing;
}

async function timed(side: Side, atATime: number, count: number): Promise<Timing> {
  let begun = 0;
  const lane = async () => {
    while (begun++ < count) await side.run(nextUnit());
  };
  const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: atATime }, lane));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1_000 };
}

function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return { median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2, min: at(0), max: at(sorted.length - 1) };
}
