import { parseArgs } from 'node:util';

/** How much is explored: each level holds those before it. */
export const LEVELS = ['quick', 'usual', 'deep'] as const;
export type Level = (typeof LEVELS)[number];

export interface Arguments {
  readonly help: boolean;
  readonly level: Level;
  /** Part of the names to run; null for all. */
  readonly only: string | null;
  /** What a violation printed; null where nothing is told again. */
  readonly replay: string | null;
  readonly threads: number;
}

export const USAGE = `npm run model -- [options]

  (none)         every scenario and every planted mistake: some minutes
  --quick        the smaller scenarios and every planted mistake: what CI runs
  --deep         larger scenarios and random walks as well: an hour or two
  --only TEXT    scenarios and planted mistakes whose name contains this;
                 the mistakes tell their stories, too
  --replay SEED  tells the story of a violation again, by the seed it printed
  --threads N    how many run at once (2)
  --help         this

The last line is "model: N distinct states, N transitions, N violations, N of N mutants caught"; the exit code is 0 where
nothing is broken, everything was explored whole and every planted mistake was caught.`;

/** Throws with words for the person who typed it. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      deep: { type: 'boolean', default: false },
      only: { type: 'string' },
      replay: { type: 'string' },
      threads: { type: 'string', default: '2' },
    },
  });
  const { help, quick, deep, only = null, replay = null } = values;
  if (quick && deep) throw new Error('Say --quick or --deep, not both.');
  const threads = Number(values.threads);
  if (!Number.isInteger(threads) || threads < 1 || threads > 64) {
    throw new Error(`--threads must be a whole number from 1 to 64, not "${values.threads}".`);
  }
  return { help, level: quick ? 'quick' : deep ? 'deep' : 'usual', only, replay, threads };
}
