import type { Duration } from '../../operations/time';
import { ArgumentError } from '../argument-error';
import { DEMO_FOLDER } from '../demo-folder';
import { demoPorts } from '../demo-ports';
import { moveRunningDemo } from './move-running-demo';
import { parseMove } from './parse-move';
import { spanText } from './span-text';

const USAGE = `npm run clock -- +25h

  Moves the clock of the demo that npm start keeps up: the ledger's and the fake
  Stripe's, together, forward. Then it wakes reconciliation, which looks at what
  fell due by it. A whole number and s, m, h or d; there is no way back.

  Temporal's own timers do not move: what waits for one goes on waiting.
  It finds the demo by SENDONCE_DATA_DIR and the settings of its ports.`;

async function main(): Promise<string> {
  const by = readMove(process.argv.slice(2));
  if (by === null) return USAGE;
  const ahead = await moveRunningDemo({ dataDir: DEMO_FOLDER, ports: demoPorts(process.env) }, by);
  return `The clock is ${spanText(ahead)} ahead; reconciliation was woken.`;
}

/** Null where help was asked for. Throws ArgumentError. */
function readMove(args: readonly string[]): Duration | null {
  if (args.includes('--help')) return null;
  const option = args.find((arg) => /^-\D/.test(arg));
  if (option !== undefined) throw new ArgumentError(`There is no option ${option}. See --help.`);
  const [move, ...more] = args;
  if (move === undefined) throw new ArgumentError('Say how far, for example npm run clock -- +25h. See --help.');
  if (more.length > 0) throw new ArgumentError(`One move at a time: what is ${JSON.stringify(more[0])}? See --help.`);
  return parseMove(move);
}

main().then(
  (text) => {
    process.stdout.write(`${text}\n`);
  },
  (error: unknown) => {
    process.stderr.write(`sendonce: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
