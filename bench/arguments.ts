import { parseArgs } from 'node:util';

export interface Arguments {
  readonly help: boolean;
  /** A look at whether everything runs: the numbers are too few to mean much. */
  readonly quick: boolean;
  readonly json: boolean;
  /** IDs of the measures to run; null for all. */
  readonly only: readonly string[] | null;
}

export const USAGE = `npm run bench -- [options]

  (none)    all measures: five to ten minutes
  --quick   the same with few units: whether it runs, not how fast
  --json    the last line of stdout is the result as JSON,
            the table goes to stderr
  --only ID one measure, by its ID in the JSON; may be repeated
  --help    this`;

export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      only: { type: 'string', multiple: true },
    },
  });
  const { help = false, quick = false, json = false, only = null } = values;
  return { help, quick, json, only };
}
