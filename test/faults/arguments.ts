import { parseArgs } from 'node:util';
import { type Cell, EDGES, type Edge, FAULT_NAMES, FAULTS, type Fault, MATRIX } from './cells';

export interface Arguments {
  readonly help: boolean;
  /** Says which cells there are, and runs none. */
  readonly list: boolean;
  /** Operations a cell. */
  readonly runs: number;
  readonly cells: readonly Cell[];
  /** Runs a tool that makes a new key for each try: the runs must find it out. */
  readonly broken: boolean;
}

const DEFAULT_RUNS = 20;
/** They are held in one worker, which runs a hundred calls at a time. */
const MOST_RUNS = 100;

export const USAGE = `npm run faults -- [options]

  (none)         the whole matrix of edges and faults, ${DEFAULT_RUNS} operations a cell:
                 about half an hour
  --runs N       operations a cell, 1 to ${MOST_RUNS}
  --edge EDGE    the cells of one edge; may be repeated
  --fault FAULT  the cells of one fault; may be repeated
  --list         which cells there are, and why some are left out
  --broken       with a tool that makes a new key for each try,
                 to see that the runs can fail
  --help         this

Edges: ${EDGES.join(', ')}

Faults:
${Object.entries(FAULTS)
  .map(([name, meaning]) => `  ${name.padEnd(24)} ${meaning}`)
  .join('\n')}

Exit code: 0 where all is right, 1 where a run is wrong or left open,
2 for arguments that cannot be read.`;

/** Throws TypeError, which says what to do. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      list: { type: 'boolean' },
      runs: { type: 'string' },
      edge: { type: 'string', multiple: true },
      fault: { type: 'string', multiple: true },
      broken: { type: 'boolean' },
    },
  });
  const { help = false, list = false, runs, edge = [], fault = [], broken = false } = values;
  const edges = edge.map((name) => oneOf<Edge>('--edge', EDGES, name));
  const faults = fault.map((name) => oneOf<Fault>('--fault', FAULT_NAMES, name));
  return {
    help,
    list,
    broken,
    runs: runs === undefined ? DEFAULT_RUNS : readCount(runs),
    cells: MATRIX.filter(
      (cell) =>
        (edges.length === 0 || edges.includes(cell.edge)) && (faults.length === 0 || faults.includes(cell.fault)),
    ),
  };
}

function readCount(value: string): number {
  if (!/^[1-9]\d{0,2}$/.test(value) || Number(value) > MOST_RUNS) {
    throw new TypeError(`--runs must be a whole number from 1 to ${MOST_RUNS}, not ${JSON.stringify(value)}.`);
  }
  return Number(value);
}

function oneOf<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const name = names.find((each) => each === given);
  if (name === undefined) throw new TypeError(`${option} must be one of ${names.join(', ')}, not ${given}.`);
  return name;
}
