// Needs nothing.
import { problemText } from '../../src/cli/replay/problem-text';

const failed = (message: string) =>
  new Error(
    `Replay failed due workflow task failure. Details: Workflow activation completion failed: Failure { failure: ` +
      `Some(Failure { message: "${message}", source: "TypeScriptSDK", stack_trace: "TypeError: x\\n    at y" }) }`,
  );

describe('why a history does not replay', () => {
  test.each([
    [
      failed("Failed to initialize workflow of type 'dunning': no such function is exported by the workflow bundle"),
      'There is no workflow dunning in these workflows. Name the file that has it with --workflows.',
    ],
    [
      failed('Bug: \\"9\\" is no step.\\nIt was \\u{1f600} C:\\\\x'),
      'Replay failed due workflow task failure. Bug: "9" is no step.\nIt was 😀 C:\\x',
    ],
    [new Error('Details: nothing in quotes'), 'Details: nothing in quotes'],
    [new Error('nondeterminism error: no match'), 'nondeterminism error: no match'],
  ])('%#: without the words of Temporal’s core', (error, text) => {
    expect(problemText(error)).toBe(text);
  });
});
