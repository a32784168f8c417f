import { parseArgs } from 'node:util';
import type { Level } from './catalogue';

export interface Arguments {
  readonly help: boolean;
  readonly level: Level;
  /** What the names or descriptions of what is looked at hold; null for all. */
  readonly only: string | null;
  /** A seed whose trace is told again; null for a run. */
  readonly replay: string | null;
}

export const USAGE = `npm run model -- [options]

  (none)         every scenario at every kind of contract, every planted
                 mistake, and random walks: some minutes on two cores
  --quick        a part of it, for every change: about half a minute
  --deep         every scenario with more mishaps in one trace, up to a
                 stated bound each, and ten times the walks: hours
  --only TEXT    what has this in its name or description
  --replay SEED  tells a trace that was found again, and exits with 1
                 where it breaks a rule
  --help         this`;

/** Throws where the arguments make no sense. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      quick: { type: 'boolean' },
      deep: { type: 'boolean' },
      only: { type: 'string' },
      replay: { type: 'string' },
    },
  });
  const { help = false, quick = false, deep = false, only = null, replay = null } = values;
  if (quick && deep) throw new RangeError('--quick and --deep exclude each other.');
  if (replay !== null && (quick || deep || only !== null)) throw new RangeError('--replay goes alone.');
  return { help, level: quick ? 'quick' : deep ? 'deep' : 'full', only, replay };
}
