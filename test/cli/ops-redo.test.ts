// Needs Postgres.
import { join } from 'node:path';
import type { Fault } from '../../src/testing/fake-stripe/fault';
import { type CliEnd, longLines, runCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { registered } from '../support/fixtures';
import { NOT_MADE, REFUND_ID, RefundStory } from '../support/refund-story';

const TOOLS = join(__dirname, 'modules', 'refunds.mjs');
const NEW_ID = 'refund-1043-req_B';
const WHY = ['--by', 'ann', '--note', 'Charged twice.'];

/** Stripe's refusal, stored with the key. */
const REFUSED: Fault = {
  ...{ kind: 'status', route: 'create', status: 400, store: true },
  body: JSON.stringify({ error: { type: 'invalid_request_error', code: 'charge_disputed', message: 'Disputed.' } }),
};

// Each command is a process of its own, and a story has several.
jest.setTimeout(60_000);

let story: RefundStory;
beforeAll(buildDemo, 120_000);
beforeEach(async () => {
  story = await RefundStory.begin();
});
afterEach(() => story.end());

const ops = (...args: string[]): Promise<CliEnd> => runCli(['ops', ...args], story.settings);
const redo = (...more: string[]) => redoAs(NEW_ID, ...more);
const redoAs = (id: string, ...more: string[]) => ops('redo', REFUND_ID, '--id', id, '--tools', TOOLS, ...WHY, ...more);
const eventsOf = async (operationId: string) => (await story.ledger.load({ tenant: 'shop', operationId })).events;

describe('a confirmed refund done once more', () => {
  test('is registered, sent by reconciliation under its own key, and has an effect of its own', async () => {
    await story.call();
    expect(await redo('--tenant', 'shop')).toEqual({
      code: 0,
      stdout: `${NEW_ID} is registered. Reconciliation sends it; see sendonce ops show ${NEW_ID} --tenant shop.\n`,
      stderr: '',
    });
    expect(story.stripe.report().totals).toEqual({ effects: 1, sends: 1 });
    expect(await story.reconcile(NEW_ID)).toMatch(/done$/);
    expect(story.stripe.report().totals).toEqual({ effects: 2, sends: 2 });
    expect(story.stripe.report().sends.map(({ key }) => key)).toEqual([REFUND_ID, NEW_ID]);
    const [first, second] = story.stripe.report().effects;
    expect(second).toMatchObject({ amount: first?.amount, metadata: { op_id: NEW_ID, op_key: NEW_ID } });
    // Neither is taken for the other.
    for (const operationId of [REFUND_ID, NEW_ID]) {
      expect((await ops('check', operationId, '--tools', TOOLS)).stdout).toContain('now          confirmed');
    }
  });

  test('tells in its story whose wish it is, and the conversation of the original hears how it ends', async () => {
    await story.call();
    await redo();
    expect((await eventsOf(NEW_ID)).map(({ kind }) => kind)).toEqual(['registered', 'waiting']);
    expect((await eventsOf(NEW_ID))[1]).toMatchObject({
      call: { callId: `redo/${NEW_ID}`, sessionId: 'chat', customer: 'customer-77' },
      redo: { of: REFUND_ID, by: 'ann', note: 'Charged twice.' },
    });
    const { stdout } = await ops('show', NEW_ID);
    expect(stdout).toContain('waits for    reconciliation to send it\n');
    expect(stdout.replace(/\s+/g, ' ')).toContain(`ann wants ${REFUND_ID} done once more: Charged twice.`);
    expect(longLines(stdout)).toEqual([]);
    await story.reconcile(NEW_ID);
    const { rows } = await story.database.pool.query(
      'select operation_id, kind, session_id from sendonce.outbox where operation_id = $1',
      [NEW_ID],
    );
    expect(rows).toEqual([{ operation_id: NEW_ID, kind: 'settled', session_id: 'chat' }]);
  });

  test('said again, also after it was sent: nothing is done twice', async () => {
    await story.call();
    await redo();
    expect((await redo()).stdout).toBe(
      `${NEW_ID} was registered for this already, and is registered. Nothing is done twice.\n`,
    );
    await story.reconcile(NEW_ID);
    expect(await redo('--by', 'bob')).toMatchObject({
      code: 0,
      stdout: `${NEW_ID} was registered for this already, and is confirmed. Nothing is done twice.\n`,
    });
    await story.reconcile(NEW_ID);
    expect(story.stripe.report().totals).toEqual({ effects: 2, sends: 2 });
  });

  test('twice at once: one registers, both are told of the same', async () => {
    await story.call();
    const ends = await Promise.all([redo('--json'), redo('--json')]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(ends.map(({ stdout }) => JSON.parse(stdout).isNew).sort()).toEqual([false, true]);
    expect(await eventsOf(NEW_ID)).toHaveLength(2);
  });

  test('waits while its provider is paused', async () => {
    await story.call();
    await runCli(['pause', '--provider', 'stripe.refunds', ...WHY], story.settings);
    await redo();
    expect(await story.reconcile(NEW_ID)).toBe('waiting');
    expect(story.stripe.report().totals.effects).toBe(1);
    await runCli(['resume', '--provider', 'stripe.refunds'], story.settings);
    await story.reconcile(NEW_ID);
    expect(story.stripe.report().totals.effects).toBe(2);
  });
});

test('a rejected refund is replaced: it ends with the same act, and a later call for it sends nothing', async () => {
  await story.call(REFUSED);
  const before = story.stripe.report().totals;
  expect((await ops('list', '--json')).stdout).toContain('"state":"rejected"');
  expect((await redo()).stdout).toMatch(
    /^refund-1043-req_B is registered in the place of refund-1043-li_2, which ended\. Reconciliation sends it; /,
  );
  expect(await story.call()).toBe('rejected');
  expect(story.stripe.report().totals).toEqual(before);
  await story.reconcile(NEW_ID);
  expect(story.stripe.report().totals.effects).toBe(1);
  expect((await ops('show', REFUND_ID)).stdout).toContain(`ann: ${NEW_ID} takes its place. Charged twice.`);
  // Another ID for the same wish would be a second effect.
  expect(await redoAs('refund-1043-req_C')).toMatchObject({
    code: 1,
    stderr: `sendonce: It was replaced by ${NEW_ID} already. Look at that one.\n`,
  });
  expect(await redo()).toMatchObject({ code: 0 });
});

describe('refused in one line, and nothing is registered', () => {
  test('an unknown one: it may take effect yet', async () => {
    await story.call(NOT_MADE);
    expect(await redo()).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'sendonce: It may take effect yet, and then there would be two. Find out what became of it first. ' +
        `Run sendonce ops check ${REFUND_ID} --tenant shop --tools FILE.\n`,
    });
    expect(await eventsOf(NEW_ID)).toEqual([]);
  });

  test.each([
    ['an ID that is taken', REFUND_ID, [], /There is an operation refund-1043-li_2 already\. Give the new one an ID/],
    [
      'an ID with a ~',
      'refund~2',
      [],
      /The operation ID "refund~2" may hold printable ASCII without blanks and ~ only/,
    ],
    ['an ID too long', 'x'.repeat(252), [], /has 252 characters; the provider has room for 251\.$/],
    ['nobody', NEW_ID, ['--by', ' '], /Say who decides: /],
    ['no note', NEW_ID, ['--note', ''], /Say why: /],
    ['tools of another shop', NEW_ID, ['--tools', join(__dirname, 'modules', 'payouts.mjs')], /None of the tools made/],
  ] as const)('%s', async (_what, id, more, message) => {
    await story.call();
    const { code, stdout, stderr } = await redoAs(id, ...more);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sendonce: [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(message);
    expect((await ops('list', '--json')).stdout.match(/"operationId"/g)).toHaveLength(1);
  });

  test('a provider that cannot put a request under another ID; as JSON with the reason', async () => {
    const letter = registered({ tool: 'send_letter', provider: 'test.letters' });
    const word = { kind: 'resolved', generation: 1, by: 'bob', note: 'Seen.', sawVersion: 1 } as const;
    const events = [letter, { ...word, verdict: { as: 'confirmed', externalId: 'l_1' } } as const];
    await story.ledger.save({ tenant: 'shop', operationId: 'letter-ann', before: [], events });
    const { code, stdout } = await ops('redo', 'letter-ann', '--id', 'letter-2', '--tools', TOOLS, ...WHY, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ refused: expect.stringMatching(/^The provider test\.letters cannot put /) });
  });
});

test('--json: the new operation with its events, and whether it is new', async () => {
  await story.call();
  const { code, stdout } = await redo('--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    operationId: NEW_ID,
    state: 'registered',
    waitsFor: 'redo',
    checks: 0,
    checkedAt: null,
    dueAt: expect.stringMatching(/Z$/),
    events: [{ kind: 'registered' }, { kind: 'waiting' }],
    isNew: true,
  });
});
