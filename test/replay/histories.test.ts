// Needs nothing.
import { eventTypes, workflowType } from '../support/history';
import { quietTemporal } from '../support/quiet-temporal';
import { readRecordedHistories } from '../support/recorded-histories';
import { replayHistories } from '../support/replay';
import { type WorkflowBundle, workflowBundle } from '../support/workflow-bundle';

let bundle: WorkflowBundle;

beforeAll(async () => {
  quietTemporal();
  bundle = await workflowBundle();
});

const RECORDED = readRecordedHistories();

describe('histories that were recorded once', () => {
  test.each(RECORDED)('$name replays on the workflows as they are', async ({ name, history }) => {
    await replayHistories(bundle, [{ workflowId: name, history }]);
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
});

test('all workflows are among them', () => {
  const types = new Set(RECORDED.map(({ history }) => workflowType(history)));
  expect([...types].sort()).toEqual(['agentSession', 'agentTurn', 'reconciliation']);
});

/** Changes that would break turns that are running when a release is rolled out. */
const BREAKING: readonly (readonly [change: string, from: string, to: string, caught: string])[] = [
  ['another name of an activity', "'sendonce.callModel'", "'sendonce.askModel'", 'happy'],
  ['a step that is left out', 'step = 1; step <=', 'step = 2; step <=', 'step-limit'],
  ['a call that is left out', 'Promise.allSettled(calls.map', 'Promise.allSettled(calls.slice(1).map', 'two-items'],
  ['a turn that is run as another workflow', "executeChild)('agentTurn'", "executeChild)('turn'", 'session'],
  ['a look that is left out', "['sendonce.settleTurn'](", "['sendonce.endTurn'](", 'session-terminated-turn'],
  ['a closing that is left out', ")['sendonce.closeCall'](", ")['sendonce.endTurn'](", 'closed-call'],
];

describe('a change of the workflow that would break running turns fails', () => {
  test.each(BREAKING)('%s', async (_change, from, to, caught) => {
    const changed = bundle.code.replaceAll(from, to);
    expect(changed === bundle.code).toBe(false);
    const histories = RECORDED.filter(({ name }) => name === caught);
    expect(histories).toHaveLength(1);
    const replaying = replayHistories(
      { code: changed },
      histories.map(({ name, history }) => ({ workflowId: name, history })),
    );
    await expect(replaying).rejects.toMatchObject({ name: 'DeterminismViolationError' });
  });
});
