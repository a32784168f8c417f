// Needs nothing.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { id, type OperationId } from '../../../src/operations/operation-id';
import { RefusedError } from '../../../src/operations/refused-error';
import {
  checkGoldenIds,
  describeGoldenIds,
  expectGoldenIds,
  GoldenIdsBrokenError,
  type GoldenIdsOptions,
} from '../../../src/testing';
import { defineOperation } from '../../../src/tools/define-operation';
import { CountingProvider } from '../../support/counting-provider';
import { registered, withGlobals } from '../../support/registered-tests';

interface Refund {
  readonly order: string;
  readonly line: string;
  readonly quantity: number;
  readonly asWritten: string;
  readonly sessionId: string;
  readonly callId: string;
}

/** A release of the tool: what is named here is another than in the release before. */
interface Release {
  readonly name?: string;
  readonly operationId?: (refund: Refund) => OperationId;
  readonly intent?: (refund: Refund) => unknown;
}

const provider = new CountingProvider();

function refundTool({ name = 'refund', operationId, intent }: Release = {}) {
  return defineOperation<z.ZodType<{ order: string; line: string; quantity?: number | undefined }>, Refund, unknown>({
    name,
    description: 'Refund a line.',
    input: z.object({ order: z.string(), line: z.string(), quantity: z.int().optional() }),
    resolve: ({ order, line, quantity = 1 }, { sessionId, callId }) => {
      if (line === 'li_9') throw new RefusedError('This customer has no such line.');
      if (line === 'li_8') throw new Error('The database is away.');
      return { order: order.replace('#', ''), line, quantity, asWritten: order, sessionId, callId };
    },
    operationId: operationId ?? (({ order, line }) => id`refund-${order}-${line}`),
    intent: intent ?? (({ quantity }) => ({ quantity })),
    request: ({ order }) => ({ order }),
    provider: provider as never,
  });
}

const A = { order: '1043', line: 'li_2' };
const A_TOO = { order: '#1043', line: 'li_2' };
const A_OTHERWISE = { order: '1043', line: 'li_2', quantity: 2 };
const B = { order: '1043', line: 'li_3' };
const CASES = [{ inputs: [A, A_TOO], conflicts: [A_OTHERWISE] }, { inputs: [B] }] as const;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sendonce-golden-'));
  file = join(folder, 'tables', 'refund.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const table = (change: Partial<GoldenIdsOptions> = {}): GoldenIdsOptions => ({
  tool: refundTool(),
  file,
  caller: { tenant: 'shop', customer: 'customer-77' },
  cases: CASES,
  record: false,
  ...change,
});
const record = (change: Partial<GoldenIdsOptions> = {}) => checkGoldenIds(table({ record: true, ...change }));
const stored = () => readFileSync(file, 'utf8');

/** What a later release is told, by problem and place of its case; the file must stay as it was. */
async function foundIn(change: Partial<GoldenIdsOptions>): Promise<(readonly [string, number | null, string])[]> {
  const before = stored();
  const { findings } = await checkGoldenIds(table({ record: true, ...change }));
  expect(stored()).toBe(before);
  return findings.map(({ problem, case: at, words }) => [problem, at, words] as const);
}

describe('the first run', () => {
  test('writes a row for each input, with ID and intent; the next one changes nothing', async () => {
    const by = { tenant: 'shop', customer: 'customer-77' };
    const rows = [
      { input: A, ...by, operationId: 'refund-1043-li_2', intent: { quantity: 1 } },
      { input: A_TOO, ...by, operationId: 'refund-1043-li_2', intent: { quantity: 1 } },
      { input: A_OTHERWISE, ...by, operationId: 'refund-1043-li_2', intent: { quantity: 2 } },
      { input: B, ...by, operationId: 'refund-1043-li_3', intent: { quantity: 1 } },
    ];
    expect(await record()).toEqual({ rows, recorded: rows, findings: [] });
    expect(JSON.parse(stored())).toEqual({ tool: 'refund', rows });
    const written = stored();
    expect(await record()).toEqual({ rows, recorded: [], findings: [] });
    expect(stored()).toBe(written);
  });

  test('sends nothing and makes no request', async () => {
    await record();
    expect(provider.sends).toEqual([]);
  });

  test('a case that is added later adds its rows below the others', async () => {
    await record({ cases: [{ inputs: [B] }] });
    const { recorded } = await record({ cases: [{ inputs: [A] }, { inputs: [B] }] });
    expect(recorded.map(({ input }) => input)).toEqual([A]);
    expect(JSON.parse(stored()).rows.map(({ input }: { input: unknown }) => input)).toEqual([B, A]);
  });

  test('fields in another order are the same input', async () => {
    await record();
    const { recorded, findings } = await record({
      cases: [CASES[0], { inputs: [{ line: 'li_3', order: '1043' }] }],
    });
    expect({ recorded, findings }).toEqual({ recorded: [], findings: [] });
  });

  test('a session that the tool looks into is kept with the row', async () => {
    const caller = { tenant: 'shop', customer: 'customer-77', sessionId: 'chat-912' };
    const tool = refundTool({ operationId: ({ sessionId }) => id`refund-${sessionId}` });
    const { rows } = await record({ tool, caller, cases: [{ inputs: [A] }] });
    expect(rows).toMatchObject([{ sessionId: 'chat-912', operationId: 'refund-chat-912' }]);
    expect(await record({ tool, caller, cases: [{ inputs: [A] }] })).toEqual({ rows, recorded: [], findings: [] });
  });
});

describe('in CI', () => {
  const before = process.env['CI'];
  afterEach(() => {
    if (before === undefined) delete process.env['CI'];
    else process.env['CI'] = before;
  });
  const inCi = (value: string | undefined) => {
    if (value === undefined) delete process.env['CI'];
    else process.env['CI'] = value;
    const { record: _unset, ...options } = table();
    return checkGoldenIds(options);
  };

  test.each(['true', '1'])('CI=%s: a row that is missing fails, says what to do, and is not written', async (value) => {
    const { recorded, findings } = await inCi(value);
    expect(recorded).toEqual([]);
    expect(findings.map(({ problem, case: at }) => [problem, at])).toEqual([
      ['not-recorded', 0],
      ['not-recorded', 0],
      ['not-recorded', 0],
      ['not-recorded', 1],
    ]);
    expect(findings[0]?.words).toBe(
      `${file} has no row for {"order":"1043","line":"li_2"} (refund-1043-li_2), and in CI none is written.\n` +
        'Why it matters: whatever the tool gave here would pass for right, now and at every later run.\n' +
        `What to do: run this test where CI is not set, look at the rows it writes to ${file}, and commit them.`,
    );
    expect(existsSync(file)).toBe(false);
  });

  test.each([undefined, '', 'false'])('CI=%s: it is written', async (value) => {
    expect((await inCi(value)).recorded).toHaveLength(4);
    expect(existsSync(file)).toBe(true);
  });
});

describe('a later release', () => {
  beforeEach(() => record());

  test('another formula → each row of it fails: old business could be refunded twice', async () => {
    const tool = refundTool({ operationId: ({ order, line }) => id`refund-v2-${order}-${line}` });
    const found = await foundIn({ tool });
    expect(found.map(([problem, at]) => [problem, at])).toEqual([
      ['id-changed', 0],
      ['id-changed', 0],
      ['id-changed', 0],
      ['id-changed', 1],
    ]);
    expect(found[3]?.[2]).toBe(
      'The operation ID of {"order":"1043","line":"li_3"} was refund-1043-li_3 and is now refund-v2-1043-li_3.\n' +
        'Why it matters: ledger and provider know the business that was done by its old ID. Asked for again it would be a ' +
        'new operation under a new key, and be carried out a second time: refunded twice.\n' +
        'What to do: give operationId, or what resolve reads for it, its old form. Only if no operation can have been made ' +
        `with the old ID: delete the row from ${file} and run this again.`,
    );
  });

  test('another intent → each row of it fails: old business would be told conflict', async () => {
    const tool = refundTool({ intent: ({ quantity }) => ({ quantity, currency: 'twd' }) });
    const found = await foundIn({ tool });
    expect(found.map(([problem]) => problem)).toEqual(Array(4).fill('intent-changed'));
    expect(found[0]?.[2]).toBe(
      'The intent of {"order":"1043","line":"li_2"} (refund-1043-li_2) was {"quantity":1} and is now ' +
        '{"currency":"twd","quantity":1}.\n' +
        'Why it matters: operations keep the intent they were registered with. The same wish in the new form is told ' +
        'conflict, though nobody asked for anything else, and sends nothing.\n' +
        'What to do: name in intent what it had before, and leave a new field out where it says nothing new. Only if no ' +
        `operation can have been made with the old intent: delete the row from ${file} and run this again.`,
    );
  });

  test('an intent whose fields come in another order, or with one that is undefined → the same', async () => {
    await record({
      tool: refundTool({ intent: ({ quantity, line }) => ({ quantity, line }) }),
      file: join(folder, 'two'),
    });
    const tool = refundTool({ intent: ({ quantity, line }) => ({ line, currency: undefined, quantity }) });
    expect((await checkGoldenIds(table({ tool, file: join(folder, 'two') }))).findings).toEqual([]);
  });

  test('a row that no case asks for → fails, and stays', async () => {
    const found = await foundIn({ cases: [CASES[0]] });
    expect(found).toEqual([
      [
        'removed',
        null,
        `${file} has a row for {"order":"1043","line":"li_3"} of customer-77 (refund-1043-li_3) that no case asks for any more.\n` +
          'Why it matters: nobody would see if its ID changed, and the business that was done under it be done again.\n' +
          'What to do: put the input back among the cases. Only if no operation can have been made with it: delete the row ' +
          `from ${file}.`,
      ],
    ]);
  });

  test('an input that is put in another’s place → fails, and adds its own row', async () => {
    const { recorded, findings } = await record({ cases: [CASES[0], { inputs: [{ ...B, line: 'li_4' }] }] });
    expect(recorded).toMatchObject([{ operationId: 'refund-1043-li_4' }]);
    expect(findings).toMatchObject([{ problem: 'removed' }]);
  });

  test('a row that was deleted by hand is written anew, as the way to mean a change', async () => {
    const { tool, rows } = JSON.parse(stored());
    writeFileSync(file, JSON.stringify({ tool, rows: rows.slice(0, 3) }));
    expect(await record()).toMatchObject({ recorded: [{ operationId: 'refund-1043-li_3' }], findings: [] });
  });

  test('another customer’s row is another row', async () => {
    const found = await foundIn({ caller: { tenant: 'shop', customer: 'customer-78' }, record: false });
    expect(new Set(found.map(([problem]) => problem))).toEqual(new Set(['removed', 'not-recorded']));
  });

  test('the table of another tool → fails, and gets no row of this one', async () => {
    const found = await foundIn({
      tool: refundTool({ name: 'pay_out' }),
      cases: [...CASES, { inputs: [{ ...B, line: 'li_4' }] }],
    });
    expect(found).toEqual([
      ['other-tool', null, expect.stringContaining(`${file} is the table of refund, and this tool is pay_out.`)],
    ]);
  });
});

describe('what is wrong from the first run on is not written', () => {
  const problems = async (release: Release, cases: GoldenIdsOptions['cases'] = CASES) => {
    const { findings, recorded } = await record({ tool: refundTool(release), cases });
    return {
      found: findings.map(({ problem, case: at }) => [problem, at]),
      words: findings[0]?.words,
      recorded: recorded.map(({ input }) => input),
    };
  };

  test('"#1043" and "1043" give two IDs → they would be refunded twice', async () => {
    expect(await problems({ operationId: ({ asWritten, line }) => id`refund-${asWritten}-${line}` })).toEqual({
      found: [['two-ids', 0]],
      words: expect.stringContaining(
        '{"order":"1043","line":"li_2"} and {"order":"#1043","line":"li_2"} stand in one case and give two operation IDs, ' +
          'refund-1043-li_2 and refund-#1043-li_2.',
      ),
      recorded: [B],
    });
  });

  test('two cases with one ID → both are shown, unless they are said to be the same business', async () => {
    const release = { operationId: ({ order }: Refund) => id`refund-${order}` };
    expect(await problems(release)).toEqual({
      found: [
        ['shared-id', 0],
        ['shared-id', 1],
      ],
      words: expect.stringMatching(
        /^\{"order":"1043","line":"li_2"\} and \{"order":"1043","line":"li_3"\} stand in two cases and give one operation ID, refund-1043\.\nWhy it matters: .* never carried out\.\nWhat to do: .*inputs of one case\.$/,
      ),
      recorded: [],
    });
    expect(await problems(release, [{ inputs: [A, B] }])).toMatchObject({ found: [], recorded: [A, B] });
  });

  test('one ID of two tenants is two operations', async () => {
    const cases = [{ inputs: [A] }, { inputs: [A], caller: { tenant: 'other', customer: 'customer-1' } }] as const;
    expect(await problems({}, cases)).toMatchObject({ found: [], recorded: [A, A] });
  });

  test('an intent from what the model wrote → a false conflict', async () => {
    expect(await problems({ intent: ({ asWritten, quantity }) => ({ asWritten, quantity }) })).toMatchObject({
      found: [['two-intents', 0]],
      words: expect.stringContaining('have two intents, {"asWritten":"1043","quantity":1} and'),
    });
  });

  test('an intent that lacks what differs → no conflict where there should be one', async () => {
    expect(await problems({ intent: () => ({}) })).toMatchObject({
      found: [['no-conflict', 0]],
      words: expect.stringContaining('have one intent, {}, though the second stands under conflicts.'),
    });
  });

  test.each<[string, Release]>([
    ['ID from the call', { operationId: ({ callId }) => id`refund-${callId}` }],
    ['ID from the session', { operationId: ({ sessionId }) => id`refund-${sessionId}` }],
    ['intent from the call', { intent: ({ callId }) => ({ callId }) }],
  ])('%s → unstable', async (_what, release) => {
    expect(await problems(release, [{ inputs: [A] }])).toEqual({
      found: [['unstable', 0]],
      words: expect.stringMatching(/^Two runs for \{"order":"1043","line":"li_2"\} gave .*golden-ids-1.*golden-ids-2/),
      recorded: [],
    });
  });

  test.each([
    ['resolve', { order: '1043', line: 'li_9' }, /^The tool refuses .*: This customer has no such line\.\n/],
    ['the schema', { order: 1043 }, /^The tool refuses \{"order":1043\}: The arguments of refund are not valid\. /],
  ])('refused by %s → no operation, and the words of the refusal', async (_by, input, words) => {
    expect(await problems({}, [{ inputs: [input] }, { inputs: [B] }])).toEqual({
      found: [['refused', 0]],
      words: expect.stringMatching(words),
      recorded: [B],
    });
  });

  test('a passing fault of resolve is thrown as it is: nothing was compared', async () => {
    await expect(record({ cases: [{ inputs: [{ order: '1043', line: 'li_8' }] }] })).rejects.toThrow(
      'The database is away.',
    );
    expect(existsSync(file)).toBe(false);
  });
});

describe('a file that cannot be read', () => {
  beforeEach(() => record());

  test.each([
    ['is cut', (text: string) => text.slice(0, 100), /JSON/],
    ['has marks of a merge', (text: string) => `<<<<<<< ours\n${text}`, /JSON/],
    ['is something else', () => '[]', /expected object/],
    [
      'lacks an ID',
      (text: string) => text.replace('operationId', 'id'),
      /operationId.*rows\[0\]|rows\[0\].*operationId/s,
    ],
    [
      'has a row twice',
      (text: string) => text.replace('"li_3"', '"li_2"'),
      /it has two rows for \{"order":"1043","line":"li_2"\}/,
    ],
  ])('%s → an error that says so; it is not written over', async (_what, spoil, problem) => {
    writeFileSync(file, spoil(stored()));
    const spoilt = stored();
    const thrown = await record().catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'SENDONCE_GOLDEN_FILE_UNREADABLE', file });
    const { message } = thrown as Error;
    expect(message).toMatch(problem);
    expect(message).toContain('Nothing was compared, and the file is left as it is. Take it back from version control');
    expect(stored()).toBe(spoilt);
  });

  test('is a folder → the same', async () => {
    await expect(record({ file: folder })).rejects.toMatchObject({ code: 'SENDONCE_GOLDEN_FILE_UNREADABLE' });
  });
});

describe('describeGoldenIds', () => {
  test('registers a test a case, which shows what is one operation, and one for the table', async () => {
    await record();
    expect(await registered(() => describeGoldenIds(table()))).toEqual([
      [
        '{"order":"1043","line":"li_2"} is {"order":"#1043","line":"li_2"}, in conflict with {"order":"1043","line":"li_2","quantity":2}',
        null,
      ],
      ['{"order":"1043","line":"li_3"}', null],
      ['the table has no other rows', null],
    ]);
  });

  test('each test fails with its own findings', async () => {
    await record({ cases: [...CASES, { inputs: [{ ...B, line: 'li_4' }] }] });
    const tool = () =>
      refundTool({
        operationId: ({ order, line }) => (line === 'li_3' ? id`r-${order}` : id`refund-${order}-${line}`),
      });
    const results = await registered(() => describeGoldenIds(table({ tool })));
    expect(results.map(([, thrown]) => thrown)).toEqual([
      null,
      expect.any(GoldenIdsBrokenError),
      expect.any(GoldenIdsBrokenError),
    ]);
    const [, second, last] = results.map(([, thrown]) => String(thrown));
    expect(second).toMatch(/: The operation ID of .* was refund-1043-li_3 and is now r-1043\./);
    expect(last).toContain('(refund-1043-li_4) that no case asks for any more.');
  });

  test('outside of a test runner → says where it belongs', () => {
    const act = () => withGlobals({ describe: undefined, test: undefined }, () => describeGoldenIds(table()));
    expect(act).toThrow(/^describeGoldenIds registers tests, .*; elsewhere use expectGoldenIds\.$/);
  });

  test.each([
    ['no case', []],
    ['a case without input', [{ inputs: [] as unknown as [unknown] }]],
  ])('%s → an error where it is registered', (_what, cases) => {
    expect(() => describeGoldenIds(table({ cases }))).toThrow('at least one case, and each case at least one input');
  });

  test('an input that is given twice → an error where it is registered', () => {
    expect(() => describeGoldenIds(table({ cases: [{ inputs: [A] }, { inputs: [{ ...A }] }] }))).toThrow(
      'The input {"order":"1043","line":"li_2"} is given twice for customer-77.',
    );
  });
});

describe('expectGoldenIds', () => {
  test('passes where all is as the table has it; throws all findings where not', async () => {
    await record();
    await expectGoldenIds(table());
    const tool = refundTool({ intent: () => ({ quantity: 0 }) });
    await expect(expectGoldenIds(table({ tool }))).rejects.toMatchObject({
      code: 'SENDONCE_GOLDEN_IDS_BROKEN',
      findings: { length: 5 },
    });
  });
});
