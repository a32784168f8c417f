/**
 * How often a property is tried: a number that CI can afford, times `FC_RUNS`. Every run draws the same values, so that a
 * change is judged by itself; with `FC_RUNS` each draws others, and `FC_SEED` draws those of a seed. A property that fails
 * prints its seed and its smallest counterexample.
 */
export interface PropertyRuns {
  readonly numRuns: number;
  readonly seed?: number;
}

const RUNS = numberFrom('FC_RUNS');
const FACTOR = RUNS ?? 1;
const SEED = numberFrom('FC_SEED') ?? (RUNS === null ? 1_043 : null);

/** A test of so many runs may take this long: jest's own limit, times the factor. */
export const PROPERTY_MS = 30_000 * Math.max(1, FACTOR);

export function runs(inCi: number): PropertyRuns {
  return { numRuns: Math.max(1, Math.round(inCi * FACTOR)), ...(SEED === null ? {} : { seed: SEED }) };
}

function numberFrom(name: string): number | null {
  const text = process.env[name];
  if (text === undefined || text === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error(`${name} must be a number, not ${JSON.stringify(text)}.`);
  return value;
}
