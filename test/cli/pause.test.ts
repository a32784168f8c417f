// Needs Postgres.
import { join } from 'node:path';
import { type CliEnd, longLines, runCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { NOT_MADE, REFUND_ID, RefundStory } from '../support/refund-story';

const TOOLS = join(__dirname, 'modules', 'refunds.mjs');
const PROVIDER = ['--provider', 'stripe.refunds'];
const WHY = ['--by', 'ann', '--note', 'Stripe has an incident.'];
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

// Each command is a process of its own, and a story has several.
jest.setTimeout(60_000);

let story: RefundStory;
beforeAll(buildDemo, 120_000);
beforeEach(async () => {
  story = await RefundStory.begin();
});
afterEach(() => story.end());

const cli = (...args: string[]): Promise<CliEnd> => runCli(args, story.settings);
const pause = (...args: string[]) => cli('pause', ...args, ...WHY);

describe.each([
  ['tool', 'refund_line_item'],
  ['provider', 'stripe.refunds'],
])('a paused %s', (kind, name) => {
  const named = [`--${kind}`, name];

  test('sends nothing, a call waits; once it is resumed reconciliation sends it, one effect', async () => {
    expect(await pause(...named, '--tools', TOOLS)).toEqual({
      code: 0,
      stdout: `The ${kind} ${name} is paused. End it with sendonce resume --${kind} ${name}.\n`,
      stderr: '',
    });
    expect(await story.call()).toBe('waiting');
    expect(await story.reconcile(REFUND_ID)).toBe('waiting');
    expect(story.stripe.report().totals).toEqual({ effects: 0, sends: 0 });
    expect(await cli('resume', ...named)).toEqual({
      code: 0,
      stdout: `The ${kind} ${name} is resumed. 1 operation waits, and reconciliation sends now.\n`,
      stderr: '',
    });
    // The reply is a call's that did not send it itself.
    expect(await story.reconcile(REFUND_ID)).toMatch(/done$/);
    expect(await story.call()).toBe('already_done');
    expect(story.stripe.report().totals).toEqual({ effects: 1, sends: 1 });
  });
});

test('an unknown outcome is looked for while it is paused, and sent again only after the resume', async () => {
  await story.call({ kind: 'drop-request', route: 'create' });
  await pause(...PROVIDER);
  expect(await story.reconcile(REFUND_ID)).toBe('outcome_unknown');
  expect((await story.events()).at(-1)).toMatchObject({ kind: 'evidence', evidence: { kind: 'absent' } });
  expect(story.stripe.report().totals.effects).toBe(0);
  await cli('resume', ...PROVIDER);
  expect(await story.reconcile(REFUND_ID)).toMatch(/done$/);
  expect(story.stripe.report().totals.effects).toBe(1);
});

test('a tool that is resumed still waits for its paused provider, and that is told', async () => {
  await pause(...PROVIDER);
  await pause('--tool', 'refund_line_item');
  await story.call();
  const { stdout } = await cli('resume', '--tool', 'refund_line_item');
  expect(stdout).toMatch(/ Still paused: provider stripe\.refunds\.\n$/);
  expect(await story.reconcile(REFUND_ID)).toBe('waiting');
  expect(story.stripe.report().totals.sends).toBe(0);
});

test('pausing twice: whoever paused first is told, and stays; resuming twice: it says so. Both exit 0', async () => {
  await pause(...PROVIDER, '--tools', TOOLS);
  const again = await cli('pause', ...PROVIDER, '--by', 'bob', '--note', 'Me too.', '--tools', TOOLS);
  expect(again).toEqual({
    code: 0,
    stdout: expect.stringMatching(/ is paused already, since .* UTC by ann: Stripe has an incident\.\n$/),
    stderr: '',
  });
  expect((await cli('resume', ...PROVIDER)).stdout).toBe('The provider stripe.refunds is resumed. Nothing waited.\n');
  expect(await cli('resume', ...PROVIDER, '--tools', TOOLS)).toEqual({
    code: 0,
    stdout: 'The provider stripe.refunds is not paused.\n',
    stderr: '',
  });
});

describe('a name that nothing has', () => {
  test.each(['pause', 'resume'])('with --tools: %s is refused with the names that there are', async (command) => {
    const why = command === 'pause' ? WHY : [];
    expect(await cli(command, '--tool', 'refund_item', ...why, '--tools', TOOLS)).toEqual({
      code: 1,
      stdout: '',
      stderr: `sendonce: ${TOOLS} has no tool refund_item that sends. There are: refund_line_item, send_letter.\n`,
    });
    expect((await cli('pauses')).stdout).toBe('Nothing is paused.\n');
  });

  test('without: it is paused, with a warning, as it may be new; one that the ledger knows gets none', async () => {
    const { code, stderr } = await pause('--provider', 'stripe.refund');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^sendonce: the ledger has no recent operation of the provider stripe\.refund\. /),
    });
    await story.call();
    expect((await pause(...PROVIDER)).stderr).toBe('');
  });

  test('a pause of what is in the file no more can be ended', async () => {
    await pause('--tool', 'refund_item');
    expect(await cli('resume', '--tool', 'refund_item', '--tools', TOOLS)).toMatchObject({ code: 0, stderr: '' });
  });
});

test('what is paused is listed, and shown where something waits', async () => {
  await pause(...PROVIDER);
  await story.call();
  const { stdout } = await cli('pauses');
  expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/, 'TIME').split('\n')).toEqual([
    'provider stripe.refunds',
    'since        TIME UTC, by ann',
    'note         Stripe has an incident.',
    'waiting      1 operation',
    '',
  ]);
  const list = await cli('ops', 'list', '--state', 'registered');
  expect(list.stdout).toMatch(/^waits: resume +\d.* 0 +shop {4}refund-1043-li_2$/m);
  expect(list.stdout).toMatch(/\n\nPaused: provider stripe\.refunds\. See sendonce pauses\.\n$/);
  const show = await cli('ops', 'show', REFUND_ID);
  expect(show.stdout).toContain('waits for    its tool or provider to be resumed: sendonce pauses\n');
  expect(show.stdout).toMatch(/^next look {4}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/m);
  expect([...longLines(stdout), ...longLines(list.stdout), ...longLines(show.stdout)]).toEqual([]);
});

test('--json: the pause, what was ended, and the list', async () => {
  const record = { kind: 'provider', name: 'stripe.refunds', by: 'ann', note: 'Stripe has an incident.', since: ISO };
  expect(JSON.parse((await pause(...PROVIDER, '--json')).stdout)).toEqual({ pause: record, isNew: true });
  expect(JSON.parse((await pause(...PROVIDER, '--json')).stdout)).toEqual({ pause: record, isNew: false });
  await story.call();
  expect(JSON.parse((await cli('pauses', '--json')).stdout)).toEqual({ pauses: [{ ...record, waiting: 1 }] });
  expect(JSON.parse((await cli('resume', ...PROVIDER, '--json')).stdout)).toEqual({ resumed: record, waiting: 1 });
  expect(JSON.parse((await cli('resume', ...PROVIDER, '--json')).stdout)).toEqual({ resumed: null, waiting: 0 });
});

test('a refund whose 500 is stored is not sent again by a resume', async () => {
  await story.call(NOT_MADE);
  await pause(...PROVIDER);
  await cli('resume', ...PROVIDER);
  expect(await story.reconcile(REFUND_ID)).toBe('outcome_unknown');
  expect(story.stripe.report().totals).toEqual({ effects: 0, sends: 1 });
});
