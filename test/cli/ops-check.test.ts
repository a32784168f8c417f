// Needs Postgres.
import { join } from 'node:path';
import type { Fault } from '../../src/testing/fake-stripe/fault';
import { type CliEnd, longLines, runCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { answered, callRef, marked, RECEIPT, registered } from '../support/fixtures';
import { NOT_MADE, REFUND_ID, RefundStory } from '../support/refund-story';

const TOOLS = join(__dirname, 'modules', 'refunds.mjs');
const LOST_ANSWER: Fault = { kind: 'drop-answer', route: 'create' };
const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/g;

// Each command is a process of its own, and a story has several.
jest.setTimeout(60_000);

let story: RefundStory;
beforeAll(buildDemo, 120_000);
beforeEach(async () => {
  story = await RefundStory.begin();
});
afterEach(() => story.end());

const check = (...more: string[]): Promise<CliEnd> => checkId(REFUND_ID, ...more);
const checkId = (operationId: string, ...more: string[]): Promise<CliEnd> =>
  runCli(['ops', 'check', operationId, '--tools', TOOLS, ...more], story.settings);

/** Its lines, with times and the refunds' random numbers under fixed names. */
async function told(...more: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await check(...more);
  expect({ code, stderr, long: longLines(stdout) }).toEqual({ code: 0, stderr: '', long: [] });
  const ids = story.stripe.report('all').effects.map(({ id }) => id);
  const named = ids.reduce((text, id, index) => text.replaceAll(id, `re_${index + 1}`), stdout);
  return named.replace(TIME, 'TIME').trimEnd().split('\n');
}

describe('sendonce ops check', () => {
  test('a refund whose answer was lost → found and confirmed; nothing is sent, and it ends by itself', async () => {
    await story.call(LOST_ANSWER);
    expect(await told()).toEqual([
      REFUND_ID,
      'before       unknown, version 3',
      'now          confirmed, settled by a query, version 4',
      'external ID  re_1',
      '',
      'TIME  query: found re_1 (succeeded)',
    ]);
    expect(story.stripe.report().totals).toEqual({ effects: 1, sends: 1 });
  });

  test('a refund that was never made → the empty look is recorded, and the operation stays unknown', async () => {
    await story.call(NOT_MADE);
    const lines = await told();
    expect(lines).toContain('before       unknown, version 3');
    expect(lines).toContain('now          unknown, version 4');
    expect(lines.at(-1)).toBe('TIME  query: complete, and nothing there');
    expect(story.stripe.report().totals).toEqual({ effects: 0, sends: 1 });
  });

  test('what is settled is asked for, too: a refund that failed later raises an alarm', async () => {
    await story.call();
    expect((await told()).at(-1)).toBe('The provider told nothing new.');
    story.stripe.settle(`${story.stripe.report().effects[0]?.id}`, 'failed', 'expired_or_canceled_card');
    expect(await told()).toEqual([
      REFUND_ID,
      'before       confirmed, version 3',
      'now          escalated, version 4',
      'reason       re_1 succeeded and failed.',
      'external ID  re_1',
      '',
      'TIME  query: found re_1 (failed)',
    ]);
  });

  test('where there is an alarm everything is looked at, not only the number that is known', async () => {
    await story.call();
    story.stripe.settle(`${story.stripe.report().effects[0]?.id}`, 'failed', 'expired_or_canceled_card');
    await check();
    story.refundByHand();
    const text = (await told()).join(' ').replace(/ +/g, ' ');
    expect(text).toMatch(/query: found re_2 \(succeeded\), re_1 \(failed\)$/);
    expect(text).toMatch(/There are 2 effects: re_\w+, re_\w+\. re_1 succeeded and failed\./);
  });

  test('a provider that is down → inconclusive, and nothing is changed by it', async () => {
    await story.call(NOT_MADE);
    await story.stripe.refuseConnections();
    const lines = await told();
    expect(lines).toContain('now          unknown, version 4');
    expect(lines.find((line) => line.startsWith('TIME'))).toMatch(/^TIME {2}query: inconclusive, /);
  });

  test('--json: the operation before and after, and the events that came', async () => {
    await story.call(LOST_ANSWER);
    const { stdout } = await check('--json', '--tenant', 'shop');
    expect(stdout.split('\n')).toEqual([expect.any(String), '']);
    expect(JSON.parse(stdout)).toEqual({
      before: expect.objectContaining({ operationId: REFUND_ID, state: 'unknown', version: 3 }),
      after: expect.objectContaining({ operationId: REFUND_ID, state: 'confirmed', version: 4, resolvedBy: 'query' }),
      evidence: [expect.objectContaining({ kind: 'evidence', seq: 4, at: expect.stringMatching(/Z$/) })],
    });
  });
});

describe('what cannot be asked: one line that says why, exit code 1, and nothing is recorded', () => {
  const LETTER = { tool: 'send_letter', provider: 'test.letters' };
  const NO_ANSWER = answered({ kind: 'unknown', why: 'no answer', resend: 'unsafe', receipt: RECEIPT });

  test.each([
    ['nowhere', [], /There is no operation nowhere\.$/],
    [
      'letter-ann',
      [registered(LETTER), marked(), NO_ANSWER],
      /test\.letters of send_letter cannot be asked: look there/,
    ],
    ['payout-ann', [registered({ tool: 'pay_out' })], /None of the tools made payout-ann: it is of pay_out with /],
    ['moved', [registered({ provider: 'adyen.refunds' })], /None of the tools made moved: .* provider adyen\.refunds/],
    [
      'closed',
      [
        {
          kind: 'closed',
          generation: 1,
          ...{ tool: 'refund_line_item', provider: 'stripe.refunds' },
          call: callRef(),
          why: 'w',
        },
        { kind: 'dropped', generation: 1, why: 'w' },
      ],
      /It was never registered, so there is nothing to look for\.$/,
    ],
  ] as const)('%s', async (operationId, events, message) => {
    if (events.length > 0) await story.ledger.save({ tenant: 'shop', operationId, before: [], events });
    const { code, stdout, stderr } = await checkId(operationId);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sendonce: [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(message);
    expect((await story.ledger.load({ tenant: 'shop', operationId })).events).toHaveLength(events.length);
  });
});
