// Needs Postgres.
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { OperationEvent } from '../../src/operations/event';
import { type CliEnd, endOf, longLines, runCli, spawnCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';
import { answered, marked, RECEIPT, registered } from '../support/fixtures';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let own: TestDatabase;
const ops = (...args: string[]): Promise<CliEnd> => runCli(['ops', ...args], { DATABASE_URL: own.url });

const LONG_ID = `refund-${'9'.repeat(70)}`;
const LOST = answered({
  kind: 'unknown',
  why: 'the connection was reset after the request was written',
  resend: 'allowed',
  receipt: RECEIPT,
});
const DONE = answered({ kind: 'confirmed', externalId: 're_7f3a', receipt: RECEIPT });

beforeAll(async () => {
  await buildDemo();
  own = await createTestDatabase();
  await save('shop', 'refund-1043-li_1', [registered()]);
  await own.advanceClock(2 * 3_600_000);
  await save('shop', 'refund-1043-li_2', [registered(), marked(), LOST]);
  await save('shop', LONG_ID, [registered({ tool: 'refund_order' })]);
  await save('bazaar', 'refund-1043-li_2', [registered({ provider: 'adyen.refunds' }), marked(), DONE]);
}, 120_000);
afterAll(() => own.drop());

async function save(tenant: string, operationId: string, events: readonly OperationEvent[]): Promise<void> {
  await new PostgresLedger(own.database).save({ tenant, operationId, before: [], events });
}

describe('sendonce ops list', () => {
  test('a table of 80 columns, the newest first; a long ID stands whole on a line of its own', async () => {
    const { code, stdout, stderr } = await ops('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME')
          .replace(/ \d\d-\d\d \d\d:\d\d /, ' SOON ')
          .replace(/ {2,}/g, ' | '),
      );
    expect(lines[0]).toBe('STATE | REGISTERED, UTC | NEXT LOOK | LOOKS | TENANT | OPERATION');
    expect(lines.slice(1).sort()).toEqual(
      [
        ` | ${LONG_ID}`.replace(' | ', ' | '),
        'confirmed | TIME | - | 0 | bazaar | refund-1043-li_2',
        'registered | TIME | SOON | 0 | shop',
        'registered | TIME | SOON | 0 | shop | refund-1043-li_1',
        'unknown | TIME | SOON | 0 | shop | refund-1043-li_2',
      ].sort(),
    );
    expect(lines.at(-1)).toBe('registered | TIME | SOON | 0 | shop | refund-1043-li_1');
    expect(longLines(stdout)).toEqual([]);
  });

  test.each([
    [['--state', 'unknown'], ['shop/refund-1043-li_2']],
    [
      ['--state', 'unknown', '--state', 'confirmed'],
      ['bazaar/refund-1043-li_2', 'shop/refund-1043-li_2'],
    ],
    [['--tenant', 'bazaar'], ['bazaar/refund-1043-li_2']],
    [['--provider', 'adyen.refunds'], ['bazaar/refund-1043-li_2']],
    [['--tool', 'refund_order'], [`shop/${LONG_ID}`]],
    [['--older-than', '1h'], ['shop/refund-1043-li_1']],
    [['--older-than', '3h'], []],
  ])('%j narrows it', async (options, expected) => {
    const { stdout } = await ops('list', '--json', ...options);
    const page = JSON.parse(stdout) as Page;
    expect(page.operations.map(({ tenant, operationId }) => `${tenant}/${operationId}`).sort()).toEqual(expected);
    expect(page.next).toBeNull();
  });

  test('--json: one object on one line, times in ISO 8601', async () => {
    const { stdout } = await ops('list', '--json', '--tenant', 'bazaar');
    expect(stdout.split('\n')).toEqual([expect.any(String), '']);
    const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(JSON.parse(stdout)).toEqual({
      operations: [
        {
          tenant: 'bazaar',
          operationId: 'refund-1043-li_2',
          tool: 'refund_line_item',
          provider: 'adyen.refunds',
          state: 'confirmed',
          waitsFor: null,
          dueAt: null,
          checks: 0,
          checkedAt: null,
          reason: null,
          externalId: 're_7f3a',
          resolvedBy: 'answer',
          generation: 1,
          key: 'refund-1043-li_2',
          attempts: 1,
          version: 3,
          createdAt: iso,
          updatedAt: iso,
        },
      ],
      next: null,
    });
  });

  test('page after page: what one tells as next is the next one’s --after', async () => {
    const seen: string[] = [];
    for (let after: string[] | null = []; after !== null; ) {
      const { stdout } = await ops('list', '--json', '--limit', '1', ...after);
      const { operations, next } = JSON.parse(stdout) as Page;
      seen.push(...operations.map(({ tenant, operationId }) => `${tenant}/${operationId}`));
      after = next === null ? null : ['--after', next];
    }
    expect(new Set(seen).size).toBe(4);
    expect(seen).toHaveLength(4);
    const { stdout } = await ops('list', '--limit', '3');
    expect(stdout).toMatch(/\nThere are more\. The next page: --after \S+\n$/);
  });

  test('a cursor that no page told → one line, exit code 1', async () => {
    const { code, stderr } = await ops('list', '--after', 'nonsense');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^sendonce: The filter after is 'nonsense'\. Give .*\.\n$/),
    });
  });

  test('nothing found → it says so, exit code 0', async () => {
    expect(await ops('list', '--tenant', 'nobody')).toEqual({
      code: 0,
      stdout: 'There are no such operations.\n',
      stderr: '',
    });
  });

  test('a schema that is not there → it says what to run', async () => {
    const settings = { DATABASE_URL: own.url, SENDONCE_SCHEMA: 'elsewhere' };
    const { code, stderr } = await runCli(['ops', 'list'], settings);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^sendonce: The database has no schema elsewhere .*npx sendonce migrate.*\n$/),
    });
  });

  test('a result that cannot be written (a full disk) → one line, exit code 1', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const child = spawnCli(['ops', 'list', '--json'], { DATABASE_URL: own.url }, full);
      const { code, stderr } = await endOf(child);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^sendonce: the result could not be written \(ENOSPC.*\)\.\n$/),
      });
    } finally {
      closeSync(full);
    }
  });

  test('a reader that closes the pipe early (| head) is no error', async () => {
    const child = spawnCli(['ops', 'list', '--json'], { DATABASE_URL: own.url });
    child.stdout?.destroy();
    let told = '';
    child.stderr?.on('data', (chunk) => (told += String(chunk)));
    const [code] = await once(child, 'close');
    expect({ code, told }).toEqual({ code: 0, told: '' });
  });
});

describe('sendonce ops show', () => {
  test('tells the facts and what happened, in 80 columns', async () => {
    const { code, stdout, stderr } = await ops('show', 'refund-1043-li_2', '--tenant', 'shop');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/g, 'TIME'.padEnd(23))).toBe(
      [
        'refund-1043-li_2',
        'tenant       shop',
        'state        unknown',
        'reason       the connection was reset after the request was written',
        'tool         refund_line_item',
        'provider     stripe.refunds',
        'key          refund-1043-li_2',
        'generation   1, 1 attempt',
        'version      3',
        'next look    TIME                   ',
        'ask          sendonce ops check refund-1043-li_2 --tenant shop --tools FILE',
        'decide       sendonce ops resolve refund-1043-li_2 --tenant shop --version 3',
        '             --as confirmed|rejected --by NAME --note TEXT',
        '',
        'Times are UTC, by the ledger.',
        'TIME                     recorded with its request, key refund-1043-li_2',
        'TIME                     attempt 1 marked: it leaves within 10 s, or never',
        'TIME                     attempt 1: unknown, the connection was reset after the',
        '                         request was written',
        '',
      ].join('\n'),
    );
  });

  test('of what is settled or not yet sent it offers nothing to decide', async () => {
    for (const args of [
      ['refund-1043-li_1', '--tenant', 'shop'],
      ['refund-1043-li_2', '--tenant', 'bazaar'],
    ]) {
      const { stdout } = await ops('show', ...args);
      expect(stdout).toContain('version ');
      expect(stdout).not.toContain('resolve');
    }
  });

  test('--json: one object with the events as the ledger keeps them', async () => {
    const { stdout } = await ops('show', 'refund-1043-li_1', '--json');
    expect(stdout.split('\n')).toEqual([expect.any(String), '']);
    expect(JSON.parse(stdout)).toMatchObject({
      tenant: 'shop',
      operationId: 'refund-1043-li_1',
      state: 'registered',
      events: [{ ...registered(), seq: 1, at: expect.stringMatching(/Z$/) }],
    });
  });

  test.each([
    [['refund-1043-li_2'], 'Several tenants have an operation refund-1043-li_2: bazaar, shop. Name one with --tenant.'],
    [['refund-1043-li_3'], 'There is no operation refund-1043-li_3.'],
    [['refund-1043-li_1', '--tenant', 'bazaar'], 'The tenant bazaar has no operation refund-1043-li_1.'],
  ])('%j → one line, exit code 1', async (args, line) => {
    expect(await ops('show', ...args)).toEqual({ code: 1, stdout: '', stderr: `sendonce: ${line}\n` });
  });
});

interface Page {
  readonly operations: readonly { readonly tenant: string; readonly operationId: string }[];
  readonly next: string | null;
}
