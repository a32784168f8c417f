import { randomUUID } from 'node:crypto';
import type { Demo } from '../demo';
import { CURRENCY, CUSTOMER, demoOrder, SHOP_TENANT, totalOf } from '../shop/demo-order';
import type { Order } from '../shop/order';
import type { Teller } from '../story/teller';
import { type Watch, watchRun } from '../story/watch-run';
import type { WorkerConfig } from '../workers/worker-config';
import { brokenNaivePromises, brokenPromises } from './check-promises';
import {
  type Counted,
  countedFor,
  operationsOf,
  type RunHistory,
  type RunResult,
  readHistories,
  readTurns,
  repliesOf,
} from './run-result';
import type { Scenario } from './scenario';
import type { Stage } from './stage';

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
  readonly order: Order;
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
  role: 'all',
  holdFirstSend: false,
} as const;

/** Plays one scenario on a running demo, and counts at the provider what came of it. */
export async function runScenario(
  demo: Demo,
  { scenario, tool, orderId, teller, keepWorkers }: RunOptions,
): Promise<Run> {
  const { fake, orders, fleet, client, ledger, database, taskQueue } = demo;
  // With the tool as commonly written there is nothing to hold: it has no moment between mark and send.
  const change = tool === 'guarded' ? scenario.worker : {};
  const usual: WorkerConfig = { ...USUAL_WORKER, taskQueue, stripePort: fake.port, tool, asking: scenario.asking };
  const payment = { id: `pi_${randomUUID().replaceAll('-', '')}`, currency: CURRENCY };
  const order = demoOrder(orderId, payment.id, scenario.missingLines);
  fake.addPayment({ ...payment, amount: totalOf(order) });
  await orders.add(SHOP_TENANT, order);
  fake.startRun();

  if (change?.role === 'one-activity') await fleet.start({ ...usual, role: 'workflows' });
  const worker = await fleet.start({ ...usual, ...change });
  const sessionRef = { tenant: SHOP_TENANT, sessionId: `chat-${orderId}-${randomUUID().slice(0, 8)}` };
  const watch = watchRun({ database, ledger, fake, session: sessionRef, teller });
  const stage = stageOf(demo, { order, worker, usual, watch });
  try {
    const session = client.session({ ...sessionRef, customer: CUSTOMER });
    const missing = order.lines.filter((line) => !line.shipped).map((line) => line.title);
    await session.say(`The ${missing.join(' and the ')} of order ${orderId} never came. Can I have my money back?`, {
      requestKey: 'message-1',
    });
    if (tool === 'guarded' || scenario.during === undefined) await scenario.before?.(stage);
    const during = tool === 'guarded' ? scenario.during?.(stage) : undefined;
    const [said] = await Promise.all([session.say('Yes, please.', { requestKey: 'message-2' }), during]);

    const turns = await readTurns(database, sessionRef);
    const histories = await readHistories(ledger, SHOP_TENANT, turns);
    const operations = operationsOf(histories);
    const counted = countedFor(fake, payment.id);
    const run: Omit<RunResult, 'ok'> = {
      scenario: scenario.name,
      effects: counted.effects.length,
      sends: counted.sends.length,
      modelCalls: fleet.modelCalls,
      operations,
      replies: repliesOf(turns),
      told: turns.flatMap(({ reply }) => (reply === null ? [] : [reply])),
      followUps: 0,
      escalations: operations.filter(({ state }) => state === 'escalated').length,
      resolvedBy: resolvedBy(histories),
      workflowId: said.workflowId,
      temporalUi: workflowUrl(demo, said.workflowId),
    };
    const broken = tool === 'guarded' ? brokenPromises(scenario, run) : brokenNaivePromises(scenario, run);
    const { scenario: name, ...rest } = run;
    const result: RunResult = { scenario: name, ok: broken.length === 0, ...rest };
    return { order, result, broken, histories, counted };
  } finally {
    await watch.end();
    fake.disarmAll();
    if (!keepWorkers) await fleet.stop();
  }
}

function stageOf(
  { fake, fleet, ledger }: Demo,
  { order, worker, usual, watch }: Pick<Stage, 'order' | 'worker'> & { usual: WorkerConfig; watch: Watch },
): Stage {
  return {
    tenant: SHOP_TENANT,
    order,
    fake,
    ledger,
    worker,
    startWorker: (change) => fleet.start({ ...usual, ...change }),
    tell: (text) => watch.tell('worker', text),
  };
}

function resolvedBy([first]: readonly RunHistory[]): RunResult['resolvedBy'] {
  const by = first?.operation.resolvedBy ?? null;
  return by === 'fence' ? 'query' : by;
}

function workflowUrl({ servers }: Demo, workflowId: string): string {
  const { uiUrl, namespace } = servers.temporal;
  if (uiUrl === null) return '';
  return `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
}
