// Needs nothing.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowType } from '../../src/replay/history';
import { type ReplayedHistory, replayHistories } from '../../src/replay/replay-histories';
import { eventTypes } from '../support/history';
import { quietTemporal } from '../support/quiet-temporal';
import { RECORDED_FOLDER, readRecordedHistories, VERSION } from '../support/recorded-histories';
import { ADDED_ACTIVITY, ADDED_TIMER, PATCHED_TIMER, WORKFLOW_TYPES } from '../support/release-edits';
import { expectReplays } from '../support/replay';
import { type SourceEdit, type WorkflowBundle, workflowBundle } from '../support/workflow-bundle';

let bundle: WorkflowBundle;

beforeAll(async () => {
  quietTemporal();
  bundle = await workflowBundle();
});

const RECORDED = readRecordedHistories();
const SUMS = join(__dirname, 'histories.sha256');

describe('histories that were recorded once', () => {
  test.each(RECORDED)('$name replays on the workflows as they are', async (named) => {
    await expectReplays(bundle, [named]);
  });

  test('cover every way in which a turn can end', () => {
    const turns = RECORDED.filter(({ history }) => workflowType(history) === 'agentTurn');
    const ends = new Set(turns.map(({ history }) => eventTypes(history).at(-1)));
    expect([...ends].sort()).toEqual([
      'WorkflowExecutionCanceled',
      'WorkflowExecutionCompleted',
      'WorkflowExecutionFailed',
      'WorkflowExecutionTerminated',
    ]);
  });

  test('are of all workflows', () => {
    const types = new Set(RECORDED.map(({ history }) => workflowType(history)));
    expect([...types].sort()).toEqual([...WORKFLOW_TYPES].sort());
  });

  test('are byte for byte what histories.sha256 says: a file that was recorded anew, changed or removed does not pass', () => {
    const files = readdirSync(RECORDED_FOLDER).sort();
    const sums = files.map((file) => `${sha256(readFileSync(join(RECORDED_FOLDER, file)))}  histories/${file}`);
    // A new history adds its line, as `sha256sum histories/NAME.json` prints it; no line is ever changed.
    expect(sums).toEqual(readFileSync(SUMS, 'utf8').trimEnd().split('\n'));
  });

  test('are named by the release that recorded them, once the first one is tagged; no release is later than this one', () => {
    for (const { name } of RECORDED) {
      const [, , release = VERSION] = /^([a-z-]+?)(?:-v(\d+\.\d+\.\d+))?$/.exec(name) ?? [];
      expect({ name, isNamed: /^[a-z-]+(-v\d+\.\d+\.\d+)?$/.test(name) }).toEqual({ name, isNamed: true });
      expect(release.localeCompare(VERSION, 'en', { numeric: true })).toBeLessThanOrEqual(0);
    }
  });

  test('tell nothing of the machine they were recorded on', () => {
    for (const file of readdirSync(RECORDED_FOLDER)) {
      const text = readFileSync(join(RECORDED_FOLDER, file), 'utf8');
      const told = text.matchAll(/"(?:identity|stackTrace)": "(.*?)"|"\d+@.*?"/g);
      expect(
        [...told].map(([all, value]) => value ?? all).filter((value) => value !== 'recorder' && value !== ''),
      ).toEqual([]);
    }
  });
});

/** Changes that would break workflows that are running when a release is rolled out: all histories of these types break. */
const BREAKING: readonly (readonly [change: string, edits: readonly SourceEdit[], types: readonly string[]])[] = [
  ['a timer that is added to each', ADDED_TIMER, WORKFLOW_TYPES],
  ['an activity that is added to each', ADDED_ACTIVITY, WORKFLOW_TYPES],
];

/** The same for what only some histories come to. */
const CAUGHT_BY_ONE: readonly (readonly [change: string, edit: SourceEdit, caught: string, says: RegExp])[] = [
  [
    'another name of an activity',
    { file: 'agent-turn.ts', from: "['sendonce.callModel']", to: "['sendonce.askModel' as 'sendonce.callModel']" },
    'happy',
    /^The history has activity sendonce\.callModel, where these workflows run sendonce\.askModel\. /,
  ],
  [
    'a step that is left out',
    { file: 'agent-turn.ts', from: 'step = 1; step <=', to: 'step = 2; step <=' },
    'step-limit',
    /^The history has activity sendonce\.callModel, where these workflows run sendonce\.endTurn\. /,
  ],
  [
    'a call that is left out',
    { file: 'agent-turn.ts', from: 'allSettled(calls.map', to: 'allSettled(calls.slice(1).map' },
    'two-items',
    /^The history has event 12, ActivityTaskScheduled \(refund_line_item\), where these workflows do nothing of the kind\. /,
  ],
  [
    'a closing that is left out',
    { file: 'agent-turn.ts', from: "['sendonce.closeCall']", to: "['sendonce.endTurn' as 'sendonce.closeCall']" },
    'closed-call',
    /^The history has activity sendonce\.closeCall, where these workflows run sendonce\.endTurn\. /,
  ],
  [
    'a turn that is run as another workflow',
    { file: 'agent-session.ts', from: "('agentTurn', {", to: "('turn' as 'agentTurn', {" },
    'session',
    /^The history has child workflow agentTurn, where these workflows run turn\. /,
  ],
  [
    'a look that is left out',
    { file: 'agent-session.ts', from: "['sendonce.settleTurn']", to: "['sendonce.endTurn' as 'sendonce.settleTurn']" },
    'session-terminated-turn',
    /^The history has activity sendonce\.settleTurn, where these workflows run sendonce\.endTurn\. /,
  ],
  [
    'an agenda that is read elsewhere',
    {
      file: 'reconciliation.ts',
      from: "proxyLocalActivities<ReconciliationActivities>(AGENDA_HERE)['sendonce.agenda']",
      to: "proxyActivities<ReconciliationActivities>(AGENDA)['sendonce.agenda']",
    },
    'reconciliation',
    /^The history has event 6, local activity sendonce\.agenda, where these workflows do something else first\. /,
  ],
  [
    'a pause that is left out',
    { file: 'reconciliation.ts', from: 'if (!isHinted) await condition(', to: 'if (isHinted) await condition(' },
    'reconciliation',
    /^The history has event \d+, TimerStarted, where these workflows do nothing of the kind\. /,
  ],
];

describe('a change of the workflows that would break running ones is caught', () => {
  test.each(BREAKING)('%s → every history of each breaks, and says so', async (_change, edits, types) => {
    const results = await replayed(edits);
    const sound = results.filter(({ result }) => result !== 'breaks');
    // One that ended before its workflow began its loop has nothing to break.
    expect(sound).toEqual([]);
    for (const type of types) {
      const whys = results.filter(({ workflowType: of }) => of === type).map(({ why }) => why);
      expect(whys.length).toBeGreaterThan(0);
      for (const why of whys)
        expect(why).toMatch(
          /^The history has (event \d+|activity|child workflow).*, where these workflows .*\. Temporal says: /,
        );
    }
  });

  test.each(CAUGHT_BY_ONE)('%s', async (_change, edit, caught, says) => {
    const result = (await replayed([edit])).find(({ name }) => name === caught);
    expect(result).toMatchObject({ result: 'breaks', why: expect.stringMatching(says) });
  });

  test('the timer behind a patch → none breaks', async () => {
    const results = await replayed(PATCHED_TIMER);
    expect(results.filter(({ result }) => result !== 'ok')).toEqual([]);
  });
});

async function replayed(edits: readonly SourceEdit[]): Promise<readonly ReplayedHistory[]> {
  return replayHistories(RECORDED, { workflowBundle: await workflowBundle(edits) });
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
