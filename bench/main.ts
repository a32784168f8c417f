import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { onStopSignal } from '../src/dev/servers/stop-signal';
import { makeThrowawayFolder } from '../src/dev/servers/throwaway-folder';
import { type Arguments, readArguments, USAGE } from './arguments';
import { machine } from './result';
import { runMeasures } from './run-measures';
import { openStage } from './stage';
import { table } from './table';

/** Returns the exit code: zero also where an aim is missed, since a benchmark is not a test. */
export async function main(args: readonly string[]): Promise<number> {
  let read: Arguments;
  try {
    read = readArguments(args);
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : String(error)} See --help.`);
    return 2;
  }
  if (read.help) {
    console.log(USAGE);
    return 0;
  }
  const { quick, json, only } = read;
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const folder = makeThrowawayFolder(join(__dirname, '..', '.sendonce'), 'bench-');
  const start = performance.now();
  const stage = await openStage(folder, (line) => say(`bench: ${line}`)).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const close = async () => {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  };
  onStopSignal(close);
  try {
    const results = await runMeasures(stage, { quick, only, say: (line) => say(`bench: ${line}`) });
    const seconds = (performance.now() - start) / 1_000;
    const result = { benchmark: 'sendonce', quick, machine: machine(), seconds, ...results } as const;
    (json ? say : console.log)(table(result));
    if (json) console.log(JSON.stringify(result));
    return 0;
  } finally {
    await close();
  }
}
