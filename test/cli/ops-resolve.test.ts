// Needs Postgres.
import { join } from 'node:path';
import { type CliEnd, runCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { answered, marked, RECEIPT, registered } from '../support/fixtures';
import { NOT_MADE, REFUND_ID, RefundStory } from '../support/refund-story';

const TOOLS = join(__dirname, 'modules', 'refunds.mjs');
/** The send deadline and the time that bytes may travel: after them nothing can arrive. */
const BOUNDS_MS = 10_000 + 15 * 60_000;

// Each command is a process of its own, and a story has several.
jest.setTimeout(60_000);

let story: RefundStory;
beforeAll(buildDemo, 120_000);
beforeEach(async () => {
  story = await RefundStory.begin();
});
afterEach(() => story.end());

const ops = (...args: string[]): Promise<CliEnd> => runCli(['ops', ...args], story.settings);
const check = () => ops('check', REFUND_ID, '--tools', TOOLS);
const resolve = (version: number, ...more: string[]) => resolveId(REFUND_ID, version, ...more);
const resolveId = (operationId: string, version: number, ...more: string[]) =>
  ops('resolve', operationId, '--version', String(version), '--by', 'ann', '--note', 'I looked.', ...more);
const kinds = async () => (await story.events()).map(({ kind }) => kind);

/** Version 4: sent, answered by a stored 500, and looked for in vain when nothing could arrive any more. */
async function lookedForInVain(): Promise<void> {
  await story.call(NOT_MADE);
  await story.advance(BOUNDS_MS);
  await check();
}

describe("a person's rejected", () => {
  test('is refused before a look that could have seen everything: it says when that is and what to run', async () => {
    await story.call(NOT_MADE);
    const mark = (await story.events()).find((event) => event.kind === 'marked');
    const moment = new Date(mark?.kind === 'marked' ? mark.arriveBy : 0).toISOString();
    const refusal = {
      code: 1,
      stdout: '',
      stderr:
        'sendonce: A complete query, begun after the last moment anything could arrive, is needed first. Run ' +
        `sendonce ops check ${REFUND_ID} --tenant shop --tools FILE after ${moment}, then decide again.`,
    };
    const assumed = ' (Without --tools, the provider is taken for one that can be asked.)';
    expect(await resolve(3, '--as', 'rejected')).toEqual({ ...refusal, stderr: `${refusal.stderr}${assumed}\n` });
    const withTools = await resolve(3, '--as', 'rejected', '--tools', TOOLS);
    expect(withTools).toEqual({ ...refusal, stderr: `${refusal.stderr}\n` });
    // A look before that moment does not help, and neither does a person's own where the provider can be asked.
    await check();
    expect(await resolve(4, '--as', 'rejected', '--looked-at', moment)).toMatchObject({ code: 1 });
    expect(await kinds()).toEqual(['registered', 'marked', 'answered', 'evidence']);
  });

  test('is taken after it, and ends the operation: the state and the version are told', async () => {
    await lookedForInVain();
    expect(await resolve(4, '--as', 'rejected', '--tools', TOOLS)).toEqual({
      code: 0,
      stdout: `${REFUND_ID} is rejected, settled by a person, version 5. ann: I looked.\n`,
      stderr: '',
    });
    expect((await ops('show', REFUND_ID)).stdout).toContain('ann says rejected: I looked.');
  });

  test('without leave to resend: a later call is told so, and nothing is sent', async () => {
    await lookedForInVain();
    await resolve(4, '--as', 'rejected');
    expect(await story.call()).toBe('rejected');
    expect(story.stripe.report().totals).toEqual({ effects: 0, sends: 1 });
  });

  test('with --allow-resend: a later call sends the next generation under its own key', async () => {
    await lookedForInVain();
    await resolve(4, '--as', 'rejected', '--allow-resend');
    expect(await story.call()).toBe('done');
    expect(story.stripe.report().sends.map(({ key }) => key)).toEqual([REFUND_ID, `${REFUND_ID}~2`]);
    expect(story.stripe.report().effects).toHaveLength(1);
  });

  test('that turns out wrong raises an alarm, and the next word must name what has been found since', async () => {
    await lookedForInVain();
    await resolve(4, '--as', 'rejected');
    const refund = story.refundByHand();
    expect((await check()).stdout).toContain('now          escalated, version 6');
    const late = await resolve(5, '--as', 'confirmed', '--external-id', refund);
    expect(late).toMatchObject({ code: 1, stdout: '' });
    expect(late.stderr.trimEnd().split('\n')).toEqual([
      'sendonce: There is newer evidence. Look at it and decide again. ' +
        `See sendonce ops show ${REFUND_ID} --tenant shop, and name the version it tells.`,
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} {2}query: found re_\w+ \(succeeded\)$/),
    ]);
    const { code, stdout } = await resolve(6, '--as', 'confirmed', '--external-id', refund);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${REFUND_ID} is confirmed, settled by a person, version 7. ann: I looked.\n`,
    });
    // Asked again, the provider tells nothing that this person did not know.
    expect((await check()).stdout).toContain('now          confirmed');
  });
});

describe("a person's confirmed", () => {
  test('is taken of what nobody found', async () => {
    await story.call(NOT_MADE);
    expect(await resolve(3, '--as', 'confirmed', '--external-id', 're_7')).toMatchObject({ code: 0 });
    const { stdout } = await ops('list', '--json', '--state', 'confirmed');
    expect(JSON.parse(stdout).operations).toMatchObject([{ externalId: 're_7', resolvedBy: 'person' }]);
  });

  test('is refused where it names another effect than the one that is known', async () => {
    story.stripe.nextRefunds({ status: 'pending' });
    await story.call();
    const [refund] = story.stripe.report().effects;
    const { code, stderr } = await resolve(3, '--as', 'confirmed', '--external-id', 're_7');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `sendonce: The effects known are ${refund?.id}; re_7 is none of them.\n`,
    });
    expect(await kinds()).toEqual(['registered', 'marked', 'answered']);
  });
});

test('two people at once: one word counts, and the other person is shown it', async () => {
  await lookedForInVain();
  const ends = await Promise.all([
    resolve(4, '--as', 'rejected', '--note', 'Not there.'),
    resolve(4, '--as', 'confirmed', '--external-id', 're_7', '--note', 'The bank says so.'),
  ]);
  expect(ends.map(({ code }) => code).sort()).toEqual([0, 1]);
  const [winner, loser] = ends[0].code === 0 ? ends : [ends[1], ends[0]];
  expect(winner.stdout).toMatch(/version 5\. ann: (Not there|The bank says so)\.\n$/);
  expect(loser.stderr).toMatch(
    /newer evidence.*\n.* {2}ann says (rejected: Not there|confirmed, re_7: The bank says so)/,
  );
  expect((await kinds()).filter((kind) => kind === 'resolved')).toHaveLength(1);
});

describe('where the provider cannot be asked', () => {
  const LETTER = { tool: 'send_letter', provider: 'test.letters' };
  const NO_ANSWER = answered({ kind: 'unknown', why: 'no answer', resend: 'unsafe', receipt: RECEIPT });
  const letter = (...more: string[]) => resolveId('letter-ann', 3, '--as', 'rejected', ...more);
  beforeEach(async () => {
    const events = [registered(LETTER), marked(), NO_ANSWER];
    await story.ledger.save({ tenant: 'shop', operationId: 'letter-ann', before: [], events });
  });

  test.each([
    [
      'no look',
      [],
      /Look at the provider after that .* That is after 2026-01-01T00:15:10\.000Z; say when .* --looked-at\.$/,
    ],
    ['a look too early', ['--looked-at', '2026-01-01T01:15:10+01:00'], /What was sent may still arrive\./],
    ['a look in the future', ['--looked-at', '2999-01-01T00:00Z'], /lies in the future of the ledger\.$/],
  ] as const)('%s of the person → refused', async (_what, options, message) => {
    const { code, stderr } = await letter('--tools', TOOLS, ...options);
    expect(code).toBe(1);
    expect(stderr.trimEnd()).toMatch(message);
  });

  test('their own look after the last moment is enough; that it cannot be asked must be known by --tools', async () => {
    const look = ['--looked-at', '2026-01-01T00:15:11Z'];
    const { code, stderr } = await letter(...look);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('(Without --tools, the provider is') });
    expect(await letter(...look, '--tools', TOOLS)).toMatchObject({ code: 0 });
  });
});

describe('what is no act or has nothing to decide: refused in one line, and nothing is changed', () => {
  test.each([
    ['an operation nobody called for', 'nowhere', 3, ['--as', 'rejected'], /There is no operation nowhere\.$/],
    ['nobody', REFUND_ID, 3, ['--as', 'rejected', '--by', ' '], /Say who decides: /],
    ['no note', REFUND_ID, 3, ['--as', 'rejected', '--note', ''], /Say why: /],
    ['no number', REFUND_ID, 3, ['--as', 'confirmed', '--external-id', ''], /Say which effect: /],
    ['a version to come', REFUND_ID, 9, ['--as', 'rejected'], /There is no version 9 yet\.$/],
    ['an effect that exists', REFUND_ID, 3, ['--as', 'rejected'], /It is settled already: confirmed\.$/],
    ['tools of another shop', 'other', 3, ['--as', 'rejected', '--tools', TOOLS], /None of the tools made other: /],
    ['what was never sent', 'other', 1, ['--as', 'rejected'], /It was never sent, so there is nothing to find out\.$/],
  ] as const)('%s', async (_what, operationId, version, options, message) => {
    await story.call();
    const events = [registered({ tool: 'pay_out' })];
    await story.ledger.save({ tenant: 'shop', operationId: 'other', before: [], events });
    const { code, stdout, stderr } = await resolveId(operationId, version, ...options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sendonce: [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(message);
    expect(await kinds()).toEqual(['registered', 'marked', 'answered']);
  });
});

test('--json: the operation with its events; a refusal with its reason, its moment and the newer evidence', async () => {
  await lookedForInVain();
  const early = await resolve(2, '--as', 'rejected', '--json');
  expect(early.code).toBe(1);
  expect(JSON.parse(early.stdout)).toEqual({
    refused: expect.stringMatching(/^There is newer evidence\./),
    lookAfter: null,
    evidence: [expect.objectContaining({ kind: 'answered', seq: 3, at: expect.stringMatching(/Z$/) })],
  });
  const { code, stdout } = await resolve(4, '--as', 'rejected', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    operationId: REFUND_ID,
    state: 'rejected',
    version: 5,
    events: { 4: { kind: 'resolved', by: 'ann', note: 'I looked.', sawVersion: 4 } },
  });
});
