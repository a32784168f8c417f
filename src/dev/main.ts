import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { wrapText } from '../cli/wrap-text';
import { type Arguments, readArguments, USAGE } from './arguments';
import { type Demo, startDemo } from './demo';
import { DEMO_FOLDER } from './demo-folder';
import { demoPorts } from './demo-ports';
import { DEMO_TASK_QUEUE } from './demo-task-queue';
import type { RunResult } from './scenarios/run-result';
import { runScenario } from './scenarios/run-scenario';
import type { Scenario } from './scenarios/scenario';
import { SCENARIOS } from './scenarios/scenarios';
import { findFreePorts } from './servers/ports';
import { onStopSignal } from './servers/stop-signal';
import { makeThrowawayFolder } from './servers/throwaway-folder';
import { SHOP_TENANT } from './shop/demo-order';
import { tellKeys, tellSummary, tellTemporalUi } from './story/tell-summary';
import { Teller } from './story/teller';

/** From a stop signal on, what breaks off breaks off because of it, and the exit code is the signal's. */
let stopping = false;

async function main(): Promise<number> {
  const args = readArguments(process.argv.slice(2));
  if (args.help) return print(USAGE);
  if (args.list) return print(scenarioList(process.stdout.columns ?? Number.POSITIVE_INFINITY));
  return args.once ? runOnce(args) : stayUp(args);
}

/** One run on data of its own, on free ports, gone afterwards. */
async function runOnce(args: Arguments): Promise<number> {
  const dataDir = makeThrowawayFolder(DEMO_FOLDER, 'once-');
  const teller = new Teller(args.json ? process.stderr : process.stdout);
  const onProgress = (line: string) => process.stderr.write(`${line}\n`);
  let demo: Demo | null = null;
  const cleanUp = async () => {
    await demo?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  onStopSignal(async () => {
    stopping = true;
    await cleanUp();
  });
  try {
    const [postgres = 0, temporal = 0, temporalUi = 0, stripe = 0] = await findFreePorts(4);
    const ports = { postgres, temporal, temporalUi, stripe };
    demo = await startDemo({ dataDir, ports, taskQueue: `sendonce-once-${randomUUID()}`, onProgress });
    const { result, kept } = await play(demo, args, '1043', teller);
    await cleanUp();
    if (args.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    return kept ? 0 : 1;
  } finally {
    await cleanUp();
  }
}

/** The story on data that stay, then everything stays up. */
async function stayUp(args: Arguments): Promise<number> {
  const teller = new Teller(process.stdout);
  const onProgress = (line: string) => teller.note(line);
  const ports = demoPorts(process.env);
  let demo: Demo | null = null;
  onStopSignal(async () => {
    stopping = true;
    teller.note('Stopping. The data stay.');
    await demo?.stop();
  });
  demo = await startDemo({ dataDir: DEMO_FOLDER, ports, taskQueue: DEMO_TASK_QUEUE, onProgress });
  await play(demo, args, await demo.orders.nextId(SHOP_TENANT), teller);
  teller.note('');
  teller.note('Everything stays up until Ctrl-C; the data stay after it. npm start -- --list shows other scenarios.');
  teller.note('In another terminal, npm run clock -- +25h moves the clocks and lets what falls due be found out.');
  return new Promise(() => undefined);
}

/** `kept`: whether all promises held, those of the run for comparison included. */
async function play(
  demo: Demo,
  args: Arguments,
  orderId: string,
  teller: Teller,
): Promise<{ result: RunResult; kept: boolean }> {
  const { scenario, tool, once } = args;
  const keepWorkers = !once;
  teller.heading(`${scenario.name}: ${scenario.title}`);
  const guarded = tool === 'guarded';
  // Both tools work on one task queue: the one as commonly written must be gone before ours begins.
  const run = await runScenario(demo, { scenario, tool, orderId, teller, keepWorkers: keepWorkers && guarded });
  tellSummary(teller, run);
  if (!once) tellTemporalUi(teller, run.result);
  const broken = [...run.broken];
  if (!guarded) {
    teller.heading('The same again with sendonce');
    const next = String(Number(orderId) + 1);
    const ours = await runScenario(demo, { scenario, tool: 'guarded', orderId: next, teller, keepWorkers });
    tellKeys(teller, run.counted, ours.counted);
    broken.push(...ours.broken);
  }
  for (const promise of broken) teller.note(`BROKEN PROMISE: ${promise}`);
  return { result: run.result, kept: broken.length === 0 };
}

/** One line each where no terminal is too narrow for it. */
function scenarioList(columns: number): string {
  const indent = Math.max(...SCENARIOS.map(({ name }) => name.length)) + 2;
  const entry = ({ name, title }: Scenario) =>
    wrapText(title, columns - indent).map((line, index) => `${(index === 0 ? name : '').padEnd(indent)}${line}`);
  return SCENARIOS.flatMap(entry).join('\n');
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

main().then(
  (code) => {
    if (!stopping) process.exit(code);
  },
  (error: unknown) => {
    if (stopping) return;
    process.stderr.write(`sendonce: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
