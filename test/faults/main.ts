import { onStopSignal } from '../../src/dev/servers/stop-signal';
import { type Arguments, readArguments, USAGE } from './arguments';
import { cellName, MATRIX, whyMeaningless } from './cells';
import { runCells } from './run-cells';
import { Stage } from './stage';
import { complaintText, leftOutText, progressText, sumOf, sumOfCell, sumText, table } from './table';

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let read: Arguments;
  try {
    read = readArguments(args);
  } catch (error) {
    console.error(`faults: ${error instanceof Error ? error.message : String(error)} See --help.`);
    return 2;
  }
  const { help, list, runs, cells, broken } = read;
  if (help) {
    console.log(USAGE);
    return 0;
  }
  const meaningful = cells.filter((cell) => whyMeaningless(cell) === null);
  if (list) {
    console.log(`${meaningful.map(cellName).join('\n')}\n\nLeft out:\n${leftOutText(cells)}`);
    return 0;
  }
  if (meaningful.length === 0) {
    console.error(`faults: nothing to run. ${leftOutText(cells)}`);
    return 2;
  }
  const began = performance.now();
  const say = (line: string) => process.stderr.write(`faults: ${elapsed(began)} ${line}\n`);
  say(`${meaningful.length} cells of ${runs} operations each`);
  const stage = await Stage.open(say);
  onStopSignal(() => stage.close());
  try {
    let done = 0;
    const results = await runCells(stage, meaningful, { runs, broken }, (result) => {
      done += 1;
      say(`${done}/${meaningful.length} ${progressText(result)}`);
    });
    console.log(table(results));
    const leftOut = leftOutText(MATRIX);
    console.log(`\nLeft out:\n${leftOut}\n`);
    for (const result of results) {
      if (result.notBroughtAbout !== null) {
        console.log(`${cellName(result.cell)}: NOT BROUGHT ABOUT: ${result.notBroughtAbout}`);
      }
      const bad = result.judged.filter(({ wrong, open }) => wrong.length + open.length > 0);
      for (const judged of bad) console.log(complaintText(result.cell, judged));
      const { wrong, open } = sumOfCell(result);
      if (wrong + open > 0 && result.workerErrors.length > 0) {
        console.log(['  last words of the workers:', ...result.workerErrors.map((line) => `    ${line}`)].join('\n'));
      }
    }
    const sum = sumOf(results);
    console.log(sumText(sum));
    return sum.wrong + sum.open > 0 ? 1 : 0;
  } finally {
    await stage.close();
  }
}

function elapsed(since: number): string {
  const seconds = Math.round((performance.now() - since) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
