// Needs nothing.
import type { History } from '../../src/replay/history';
import { problemText } from '../../src/replay/problem-text';

const SUMMARY = 'Replay failed with an error. ';

const failed = (message: string) =>
  new Error(
    `${SUMMARY}Details: Workflow activation completion failed: Failure { failure: ` +
      `Some(Failure { message: "${message}", source: "TypeScriptSDK", stack_trace: "TypeError: x\\n    at y" }) }`,
  );

const LOCAL = Buffer.from('{"seq":1,"activity_type":"sendonce.agenda"}');
const HISTORY = {
  events: [
    { eventId: 5, activityTaskScheduledEventAttributes: { activityType: { name: 'pay_out' } } },
    { eventId: 6, timerStartedEventAttributes: { timerId: '1' } },
    {
      eventId: 7,
      markerRecordedEventAttributes: {
        markerName: 'core_local_activity',
        details: { data: { payloads: [{ data: LOCAL }] } },
      },
    },
    { eventId: 8, startChildWorkflowExecutionInitiatedEventAttributes: { workflowType: { name: 'agentTurn' } } },
  ],
} as unknown as History;

describe('why a history does not replay', () => {
  test.each([
    [
      "Failed to initialize workflow of type 'dunning': no such function is exported by the workflow bundle",
      'There is no workflow dunning in these workflows. Name the file that has it (--workflows, workflowsPath).',
    ],
    ['Bug: \\"9\\" is no step.\\nIt was \\u{1f600} C:\\\\x', `${SUMMARY}Bug: "9" is no step.\nIt was 😀 C:\\x`],
  ])('%#: without the words of Temporal’s core', (message, text) => {
    expect(problemText(failed(message), HISTORY)).toBe(text);
  });

  test.each(['Details: nothing in quotes', 'nondeterminism error: no match'])('%s: as it is', (message) => {
    expect(problemText(new Error(message), HISTORY)).toBe(message);
  });

  test.each([
    [
      'Nondeterminism error: Timer machine does not handle this event: HistoryEvent(id: 5, ActivityTaskScheduled)',
      'The history has event 5, ActivityTaskScheduled (pay_out), where these workflows start a timer.',
    ],
    [
      'Nondeterminism error: Odd machine does not handle this event: HistoryEvent(id: 6, TimerStarted)',
      'The history has event 6, TimerStarted, where these workflows do something else (Odd).',
    ],
    [
      "Nondeterminism error: Activity type of scheduled event 'pay_out' does not match activity type of activity command 'pay'",
      'The history has activity pay_out, where these workflows run pay.',
    ],
    [
      "Nondeterminism error: Child workflow type of scheduled event 'agentTurn' does not match child workflow type of command 'turn'",
      'The history has child workflow agentTurn, where these workflows run turn.',
    ],
    [
      'Nondeterminism error: No command scheduled for event HistoryEvent(id: 8, StartChildWorkflowExecutionInitiated)',
      'The history has event 8, StartChildWorkflowExecutionInitiated (agentTurn), where these workflows do nothing of the kind.',
    ],
    [
      'Nondeterminism error: Missing associated machine for LocalActivity(1)',
      'The history has event 7, local activity sendonce.agenda, where these workflows do something else first.',
    ],
    [
      'Nondeterminism error: Missing associated machine for LocalActivity(2)',
      'The history has local activity 2, where these workflows do something else first.',
    ],
    [
      'Nondeterminism error: No command scheduled for event HistoryEvent(id: 99, TimerStarted)',
      'The history has event 99, where these workflows do nothing of the kind.',
    ],
    [
      'Nondeterminism error: Timer machine does not handle this event: HistoryEvent(id: 7, MarkerRecorded)',
      'The history has event 7, MarkerRecorded (sendonce.agenda), where these workflows start a timer.',
    ],
  ])('%s → what the history has, and what is done instead', (message, text) => {
    expect(problemText(failed(message), HISTORY)).toBe(`${text} Temporal says: ${message}`);
  });
});
