// Needs Postgres and Temporal.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readLedgerId } from '../../src/ledger/ledger-id';
import { type NamedHistory, workflowType } from '../../src/replay/history';
import { replayHistories } from '../../src/replay/replay-histories';
import type { Script } from '../../src/testing/scripted-model';
import { wakeReconciliation } from '../../src/wake-reconciliation';
import type { RunningWorker } from '../../src/worker';
import type { ReconciliationReport } from '../../src/workflows';
import { REPORT_QUERY, reconciliationId } from '../../src/workflows/reconciliation-names';
import { CountingProvider } from '../support/counting-provider';
import { Gate } from '../support/gate';
import { payOut } from '../support/payout-tools';
import { ADDED_TIMER, PATCHED_TIMER, WORKFLOW_TYPES } from '../support/release-edits';
import { fetchRuns } from '../support/replay';
import { type Rig, turnRigs } from '../support/turn-rig';
import { until } from '../support/until';
import { type SourceEdit, workflowBundle } from '../support/workflow-bundle';

// Histories of the release as it is, and of those below that go on with them, replay on the patched one.
const rigs = turnRigs({ replayedOn: PATCHED_TIMER });

/** What a worker that stops has in its cache goes to the next one at once. */
const QUICK = { stickyQueueScheduleToStartTimeout: '200ms' } as const;

const NON_DETERMINISTIC_ERROR = 24;

/** A shop in the middle of everything, held by gates. A conversation is named by its payee. */
interface Scene {
  readonly rig: Rig;
  readonly worker: RunningWorker;
  readonly provider: CountingProvider;
  readonly losses: number;
  /** What each of the conversations that are held will be told. */
  readonly said: Promise<readonly string[]>;
  openGates(): void;
}

/** `losses`: how often the request of one payout is lost. */
async function setScene({ losses }: { readonly losses: number }): Promise<Scene> {
  const provider = new CountingProvider();
  const thinking = new Gate();
  const thinkingAgain = new Gate();
  provider.treat('asks-again', 'lose-answer');
  provider.treat('lost', ...Array.from({ length: losses }, () => 'lose-request' as const));
  const model: Script = async ({ said, results }) => {
    const [to = ''] = said;
    const pay = { calls: [{ tool: to === 'waits' ? 'pay_later' : 'pay_out', input: { to } }] };
    if (results.length === 0) {
      if (to === 'asks') await thinking.pass();
      return pay;
    }
    if (to === 'asks-again' && results.length === 1) {
      await thinkingAgain.pass();
      return pay;
    }
    return { text: results.map(({ text }) => text).join('\n') };
  };
  const tools = [payOut(provider), { ...payOut(provider), name: 'pay_later' }];
  const rig = await rigs.start({ tools, model, worker: false, workerOptions: QUICK });
  const worker = await rig.startWorker();
  const say = async (payee: string) => (await rig.say(payee, { sessionId: `chat-${payee}` })).text ?? '';
  // Reconciliation is in the middle of sending again what was lost.
  expect(await say('lost')).toMatch(/^Outcome unknown/);
  const sendingAgain = provider.holdBeforeSend('lost');
  await hint(rig, 6_000);
  await sendingAgain.reached;
  const sending = provider.holdAnswer('sends');
  const said = Promise.all(['asks', 'sends', 'asks-again'].map(say));
  await Promise.all([thinking.reached, sending.reached, thinkingAgain.reached]);
  return {
    rig,
    worker,
    provider,
    losses,
    said,
    openGates: () => {
      for (const gate of [thinking, thinkingAgain, sending, sendingAgain]) gate.open();
    },
  };
}

/** Moves the ledger's clock, and hints. */
async function hint(rig: Rig, ms: number): Promise<void> {
  const { pool, schema } = rig.database;
  await pool.query(`update ${schema}.clock set ahead = ahead + $1 * interval '1 millisecond'`, [ms]);
  await wakeReconciliation(rig.temporal, await refOf(rig));
}

async function refOf({ database, taskQueue }: Rig) {
  return { ledger: await readLedgerId(database), taskQueue };
}

async function startRelease(rig: Rig, edits: readonly SourceEdit[]): Promise<RunningWorker> {
  return rig.startWorker({ workerOptions: { workflowBundle: await workflowBundle(edits) } });
}

/** It takes no more work, whatever it still runs: its open polls have ended by then. */
async function draining(worker: RunningWorker): Promise<{ readonly stopped: Promise<void> }> {
  const stopped = worker.stop();
  await sleep(1_000);
  return { stopped };
}

/** All runs of the turns of these conversations, of their sessions, and of the reconciliation. */
async function histories(rig: Rig, payees: readonly string[]): Promise<readonly NamedHistory[]> {
  const ids = payees.flatMap((payee) => [`turn/${rig.tenant}/chat-${payee}/1`, `session/${rig.tenant}/chat-${payee}`]);
  const all = [...ids, reconciliationId(await refOf(rig))];
  return (await Promise.all(all.map((id) => fetchRuns(rig.temporal, id)))).flat();
}

/** Types of the workflows that did not do what their histories have. */
function stalled(all: readonly NamedHistory[]): string[] {
  return typesWith(all, ({ workflowTaskFailedEventAttributes: failed }) => failed?.cause === NON_DETERMINISTIC_ERROR);
}

/** Types of the workflows that took the patched step. */
function patched(all: readonly NamedHistory[]): string[] {
  return typesWith(all, ({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch');
}

type Event = NonNullable<NamedHistory['history']['events']>[number];

function typesWith(all: readonly NamedHistory[], isIt: (event: Event) => boolean): string[] {
  const found = all.filter(({ history }) => (history.events ?? []).some(isIt));
  return [...new Set(found.map(({ history }) => workflowType(history)))].sort();
}

const EFFECTS_OF_SCENE = ['asks', 'asks-again', 'lost', 'sends'];

/** One effect each, the lost request sent again under its key, and everybody told what is true. */
async function expectAllSettled({ rig, provider, losses, said }: Scene): Promise<void> {
  expect(await said).toEqual([
    expect.stringMatching(/^Done: pay_out, operation payout-asks,/),
    expect.stringMatching(/^Done: pay_out, operation payout-sends,/),
    expect.stringMatching(/^Outcome unknown: .*\nAlready done: pay_out, operation payout-asks-again,/),
  ]);
  await until(async () => (await rig.operation('payout-lost'))?.state === 'confirmed');
  await until(async () => (await rig.transcript('chat-lost')).length === 2);
  expect(
    provider.effects
      .map(({ to }) => to)
      .filter((to) => to !== 'waits')
      .sort(),
  ).toEqual(EFFECTS_OF_SCENE);
  const lost = Array.from({ length: losses }, () => 'lost');
  const sends = [...EFFECTS_OF_SCENE, ...lost].map((to) => `payout-${to}`).sort();
  expect(provider.sends.filter((key) => key !== 'payout-waits').sort()).toEqual(sends);
}

test('a patched release takes over turns, sessions and the reconciliation in the middle of their work: all end as they should', async () => {
  const scene = await setScene({ losses: 1 });
  const { rig, worker, provider } = scene;
  const { pauses } = await rig.connect();
  const paused = { kind: 'tool', name: 'pay_later' } as const;
  await pauses.pause(paused, { by: 'olga', note: 'a release comes' });
  expect((await rig.say('waits', { sessionId: 'chat-waits' })).text).toMatch(/^Waiting/);
  const queued = rig.say('And thank you.', { sessionId: 'chat-asks' });
  await startRelease(rig, PATCHED_TIMER);
  const { stopped } = await draining(worker);
  scene.openGates();
  await stopped;
  await expectAllSettled(scene);
  expect(await queued).toMatchObject({ outcome: 'answered' });
  await pauses.resume(paused);
  await until(async () => (await rig.operation('payout-waits'))?.state === 'confirmed');
  expect(provider.effects.filter(({ to }) => to === 'waits')).toHaveLength(1);
  expect(provider.sends.filter((key) => key === 'payout-waits')).toHaveLength(1);
  await hint(rig, 0);
  const payees = [...EFFECTS_OF_SCENE, 'waits'];
  // What began on the first release went on to the new step, in each of the three; nothing stalled on the way.
  await until(async () => patched(await histories(rig, payees)).length === WORKFLOW_TYPES.length);
  const all = await histories(rig, payees);
  expect(stalled(all)).toEqual([]);
  // The way back is closed for what took the new step: docs/upgrading.md says so.
  const back = await replayHistories(all, { workflowBundle: await workflowBundle() });
  expect(
    [...new Set(back.filter(({ result }) => result === 'breaks').map((each) => each.workflowType))].sort(),
  ).toEqual(patched(all));
}, 240_000);

test('the same release without a patch: all three stall and say so, nothing is lost; back on the release before they go on and end as they should', async () => {
  // Nothing settles on the wrong release: whom it told would begin a workflow there.
  const scene = await setScene({ losses: 2 });
  const { rig, worker } = scene;
  const wrong = await startRelease(rig, ADDED_TIMER);
  const { stopped } = await draining(worker);
  scene.openGates();
  await stopped;
  const queued = rig.say('And thank you.', { sessionId: 'chat-asks' });
  await until(async () => stalled(await histories(rig, EFFECTS_OF_SCENE)).length === WORKFLOW_TYPES.length);
  await Promise.all([wrong.stop(), rig.startWorker()]);
  await hint(rig, 60_000);
  await expectAllSettled(scene);
  expect(await queued).toMatchObject({ outcome: 'answered' });
}, 240_000);

test('what began on a release that is taken back stalls; its turn is reset and its session ended by hand, and nothing is asked or sent again', async () => {
  const provider = new CountingProvider();
  const thinking = new Gate();
  let asked = 0;
  const model: Script = async ({ results }) => {
    asked++;
    if (results.length > 0) return { text: results.map(({ text }) => text).join('\n') };
    await thinking.pass();
    return { calls: [{ tool: 'pay_out', input: { to: 'anna' } }] };
  };
  const rig = await rigs.start({ tools: [payOut(provider)], model, worker: false, workerOptions: QUICK });
  const wrong = await startRelease(rig, ADDED_TIMER);
  const saying = rig.say('Pay Anna.');
  await thinking.reached;
  const { stopped } = await draining(wrong);
  await rig.startWorker();
  thinking.open();
  await stopped;
  const [turnId, sessionId] = [`turn/${rig.tenant}/chat-1/1`, `session/${rig.tenant}/chat-1`];
  for (const id of [turnId, sessionId, reconciliationId(await refOf(rig))]) rigs.leaveOut(id);
  await until(async () => stalled([{ name: turnId, history: await rig.history(turnId) }]).length > 0);
  // temporal workflow reset --workflow-id … --type FirstWorkflowTask
  const first = (await rig.history(turnId)).events?.find((event) => event.workflowTaskCompletedEventAttributes);
  await rig.temporal.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId: turnId },
    workflowTaskFinishEventId: first?.eventId ?? null,
    requestId: randomUUID(),
    reason: 'It began on a release that was taken back.',
  });
  await rig.temporal.workflow.getHandle(sessionId).terminate();
  await rig.endReconciliation();
  expect(await saying).toMatchObject({ outcome: 'answered', text: expect.stringMatching(/^Done: pay_out/) });
  expect({ asked, sends: provider.sends }).toEqual({ asked: 2, sends: ['payout-anna'] });
  expect(await rig.say('Thank you.')).toMatchObject({ outcome: 'answered' });
  await hint(rig, 0);
  const reconciling = rig.temporal.workflow.getHandle(reconciliationId(await refOf(rig)));
  await until(async () => (await reconciling.query<ReconciliationReport>(REPORT_QUERY)).passes > 0);
}, 240_000);
