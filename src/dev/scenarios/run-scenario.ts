import { readClockAhead } from '../../ledger/move-clock';
import type { Demo } from '../demo';
import { SHOP_TENANT } from '../shop/demo-order';
import type { Teller } from '../story/teller';
import { watchRun } from '../story/watch-run';
import type { WorkerConfig } from '../workers/worker-config';
import { Chats } from './chats';
import { brokenNaivePromises, brokenPromises } from './check-promises';
import { pauseProvider, resumeProvider } from './pausing';
import {
  type Counted,
  countedFor,
  escalationsIn,
  followUpsIn,
  operationsOf,
  type RunHistory,
  type RunResult,
  readChats,
  readHistories,
  repliesOf,
  toldIn,
} from './run-result';
import type { Scenario } from './scenario';
import { setScene } from './set-scene';
import { PERSON } from './stage';
import { untilQuiet } from './until-quiet';

export interface RunOptions {
  readonly scenario: Scenario;
  readonly tool: WorkerConfig['tool'];
  readonly orderId: string;
  readonly teller: Teller;
  /** Leaves the workers up for what comes after the story; `Demo.stop` ends them. */
  readonly keepWorkers: boolean;
}

/** A run that has ended. */
export interface Run {
  readonly result: RunResult;
  readonly broken: readonly string[];
  readonly histories: readonly RunHistory[];
  readonly counted: Counted;
}

/** Short, so that a scenario does not take minutes; the rules are the same. */
const USUAL_WORKER = {
  sendWithinMs: 3_000,
  answerWithinMs: 5_000,
  heartbeatMs: 2_000,
  sharedAccount: false,
} as const;

/** With the tool as commonly written there is nothing to hold: it has no moment between mark and send. */
const UNDISTURBED = { role: 'all', hold: 'nothing' } as const;

/** Plays one scenario on a running demo, and counts at the provider what came of it. */
export async function runScenario(demo: Demo, options: RunOptions): Promise<Run> {
  const { scenario, tool, orderId, teller, keepWorkers } = options;
  const { fake, fleet, client, temporal, ledger, database, requests, taskQueue, moveClock } = demo;
  const guarded = tool === 'guarded';
  await mend(demo);
  const { order, payments } = await setScene(demo, scenario, orderId);
  fake.startRun();

  const { asking, worker: change } = scenario;
  const usual = { ...USUAL_WORKER, ...UNDISTURBED, taskQueue, stripePort: fake.port, tool, asking };
  const config: WorkerConfig = { ...usual, ...change, ...(guarded ? {} : UNDISTURBED) };
  if (config.role === 'one-activity') await fleet.start({ ...usual, role: 'workflows' });
  const worker = await fleet.start(config);
  const chats = new Chats(client, orderId);
  const aheadMs = await readClockAhead(database);
  const watch = watchRun({ database, ledger, fake, aheadMs, sessions: () => chats.sessions, teller });
  const quiet = () => untilQuiet(database, chats.sessions);
  try {
    await scenario.talk({
      guarded,
      tenant: SHOP_TENANT,
      order,
      requests,
      fake,
      ledger,
      client,
      worker,
      startWorker: (other) => fleet.start({ ...usual, ...other }),
      open: (speaker) => chats.open(speaker),
      moveClock,
      pauseProvider: async () => {
        await pauseProvider(client, PERSON);
        watch.tell('person', `${PERSON} pauses the provider: nothing is sent to it.`);
      },
      resumeProvider: async () => {
        watch.tell('person', `${PERSON} resumes the provider.`);
        await resumeProvider(client);
      },
      terminate: async (workflowId) => void (await temporal.workflow.getHandle(workflowId).terminate()),
      untilQuiet: quiet,
      tell: (text, actor = 'worker') => watch.tell(actor, text),
    });
    await quiet();
    return await judge(demo, { scenario, guarded, orderId, chats, counted: countedFor(fake, payments) });
  } finally {
    await watch.end();
    fake.disarmAll();
    fake.setLag({});
    if (!keepWorkers) await fleet.stop();
  }
}

/** A run that was killed may have left the provider paused, or its lists late. */
async function mend({ fake, client }: Demo): Promise<void> {
  fake.setLag({});
  await resumeProvider(client);
}

interface Played {
  readonly scenario: Scenario;
  readonly guarded: boolean;
  readonly orderId: string;
  readonly chats: Chats;
  readonly counted: Counted;
}

async function judge(
  { database, ledger, fleet, servers }: Demo,
  { scenario, guarded, orderId, chats, counted }: Played,
): Promise<Run> {
  const read = await readChats(database, chats.sessions);
  const histories = await readHistories(ledger, read);
  const operations = operationsOf(histories);
  const replies = repliesOf(read);
  const result: Omit<RunResult, 'scenario' | 'ok'> = {
    effects: counted.effects.length,
    sends: counted.sends.length,
    modelCalls: fleet.modelCalls,
    operations,
    replies: replies.flat(),
    told: toldIn(read),
    followUps: followUpsIn(read),
    escalations: escalationsIn(histories),
    resolvedBy: resolvedBy(histories),
    workflowId: chats.workflowId,
    temporalUi: workflowUrl(servers.temporal, chats.workflowId),
  };
  const broken = guarded
    ? brokenPromises(scenario, { orderId, result, histories, replies })
    : brokenNaivePromises(scenario, result);
  return { result: { scenario: scenario.name, ok: broken.length === 0, ...result }, broken, histories, counted };
}

function resolvedBy([first]: readonly RunHistory[]): RunResult['resolvedBy'] {
  const by = first?.operation.resolvedBy ?? null;
  return by === 'fence' ? 'query' : by;
}

function workflowUrl({ uiUrl, namespace }: Demo['servers']['temporal'], workflowId: string): string {
  return uiUrl === null ? '' : `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
}
