// Needs nothing.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { id } from '../../src/operations/operation-id';
import { RefusedError } from '../../src/operations/refused-error';
import {
  describeGoldenIds,
  type GoldenCase,
  GoldenIdsBrokenError,
  type GoldenIdsOptions,
  type GoldenTable,
  runGoldenIds,
} from '../../src/testing';
import { defineOperation } from '../../src/tools/define-operation';
import type { OperationTool } from '../../src/tools/tool';
import { PerformRig } from '../support/perform-rig';

const { provider } = new PerformRig();
const CALLER = { tenant: 'shop', customer: 'customer-77' };

interface Objects {
  readonly order: string;
  readonly line: string;
  readonly quantity: number;
  readonly session: string;
}
type Formula = (objects: Objects) => ReturnType<typeof id>;

const BY_LINE: Formula = ({ order, line }) => id`refund-${order}-${line}`;
const BY_ORDER: Formula = ({ order }) => id`refund-${order}`;
const WITH_QUANTITY: Formula = ({ order, line, quantity }) => id`refund-${order}-${line}-${quantity}`;

function refundTool(
  operationId: Formula = BY_LINE,
  intent: (objects: Objects) => unknown = ({ quantity }) => ({ quantity }),
  name = 'refund',
): OperationTool {
  return defineOperation({
    name,
    description: 'Refund.',
    input: z.object({ order: z.string(), line: z.string(), quantity: z.int().default(1) }),
    resolve: ({ order, line, quantity }, { sessionId }) => {
      if (order === 'foreign') throw new RefusedError('This customer has no order "foreign".');
      return { order: order.replace('#', ''), line, quantity, session: sessionId };
    },
    operationId,
    intent,
    request: () => ({}),
    provider,
  });
}

const CASES: readonly GoldenCase[] = [
  { input: { order: '1043', line: 'li_1' } },
  { input: { order: '1043', line: 'li_2' } },
  { input: { order: '#1043', line: 'li_2' }, caller: { tenant: 'shop', customer: 'customer-5' } },
  { input: { order: '1043', line: 'li_2' }, caller: { tenant: 'outlet', customer: 'customer-77' } },
];
const [LI_1, LI_2, HASH] = [
  '{"order":"1043","line":"li_1"} of customer-77 at shop',
  '{"order":"1043","line":"li_2"} of customer-77 at shop',
  '{"order":"#1043","line":"li_2"} of customer-5 at shop',
];

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'golden-'));
  file = join(folder, 'golden', 'refund.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (change: Partial<GoldenIdsOptions> = {}) =>
  runGoldenIds({ tool: refundTool(), file, caller: CALLER, cases: CASES, addRows: true, ...change });
const kindsOf = async (change: Partial<GoldenIdsOptions>) => (await run(change)).problems.map(({ kind }) => kind);
const table = (): GoldenTable => JSON.parse(readFileSync(file, 'utf8'));

describe('a table of golden IDs', () => {
  test('is written by the first run and compared by later ones, which change nothing', async () => {
    expect(await run()).toMatchObject({ problems: [] });
    expect(table()).toEqual({
      tool: 'refund',
      rows: [
        { ...CALLER, input: CASES[0]?.input, operationId: 'refund-1043-li_1', intent: '{"quantity":1}' },
        { ...CALLER, input: CASES[1]?.input, operationId: 'refund-1043-li_2', intent: '{"quantity":1}' },
        expect.objectContaining({ customer: 'customer-5', operationId: 'refund-1043-li_2' }),
        expect.objectContaining({ tenant: 'outlet', operationId: 'refund-1043-li_2' }),
      ],
    });
    const written = readFileSync(file, 'utf8');
    expect(await run({ addRows: false, file: pathToFileURL(file) })).toMatchObject({ problems: [], grown: null });
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  test('shows ties: two cases of one tenant that are one operation', async () => {
    const tie = { tenant: 'shop', operationId: 'refund-1043-li_2', cases: [LI_2, HASH] };
    expect((await run()).ties).toEqual([tie]);
    expect((await run({ addRows: false })).ties).toEqual([tie]);
  });

  test('takes new rows behind the old ones, which keep their places', async () => {
    await run({ cases: CASES.slice(0, 2) });
    const before = table().rows;
    expect(await run()).toMatchObject({ problems: [] });
    expect(table().rows.slice(0, 2)).toEqual(before);
    expect(table().rows).toHaveLength(4);
  });

  test('knows a case whose fields stand in another order', async () => {
    await run({ cases: [{ input: { order: '1043', line: 'li_2' } }] });
    expect(await run({ cases: [{ input: { line: 'li_2', order: '1043' } }], addRows: false })).toMatchObject({
      problems: [],
    });
  });
});

describe('a change fails, in words:', () => {
  beforeEach(() => run());

  test('a changed formula, for every case', async () => {
    const { problems } = await run({ tool: refundTool(WITH_QUANTITY) });
    expect(problems).toHaveLength(4);
    expect(problems[1]).toEqual({ kind: 'id-changed', case: LI_2, was: 'refund-1043-li_2', is: 'refund-1043-li_2-1' });
    expect(new GoldenIdsBrokenError(file, problems).message).toMatch(
      /was refund-1043-li_2 and is refund-1043-li_2-1 now.*asked again it would be done a second time.*Restore the formula/,
    );
  });

  test('a formula that makes one operation of two, by a name of its own', async () => {
    const { problems } = await run({ tool: refundTool(BY_ORDER) });
    expect(problems).toContainEqual({ kind: 'merged', case: LI_1, operationId: 'refund-1043', with: [LI_2, HASH] });
    // The two that always were one are no news.
    expect(problems).toContainEqual({ kind: 'merged', case: LI_2, operationId: 'refund-1043', with: [LI_1] });
    expect(new GoldenIdsBrokenError(file, problems).message).toContain('only the first would be carried out');
  });

  test('a changed intent', async () => {
    const { problems } = await run({ tool: refundTool(BY_LINE, ({ quantity, line }) => ({ quantity, line })) });
    expect(problems[0]).toEqual({
      ...{ kind: 'intent-changed', case: LI_1 },
      ...{ was: '{"quantity":1}', is: '{"line":"li_1","quantity":1}' },
    });
    expect(new GoldenIdsBrokenError(file, problems).message).toContain('told `conflict`');
  });

  test('a row whose case is gone', async () => {
    const { problems } = await run({ cases: CASES.slice(1) });
    expect(problems).toEqual([{ kind: 'case-missing', case: LI_1 }]);
    expect(new GoldenIdsBrokenError(file, problems).message).toContain('Put the case back');
  });

  test('a case without a row where none may be written, as in CI', async () => {
    const cases = [...CASES, { input: { order: '7', line: 'li_1' } }];
    expect(await kindsOf({ cases, addRows: false })).toEqual(['row-missing']);
    expect(table().rows).toHaveLength(4);
  });

  test('a case that is refused now, or that the schema does not take', async () => {
    const cases = [...CASES, { input: { order: 'foreign', line: 'li_1' } }, { input: { order: 7 } }];
    const { problems } = await run({ cases });
    expect(problems.map((problem) => ('why' in problem ? problem.why : ''))).toEqual([
      'This customer has no order "foreign".',
      expect.stringContaining('The arguments of refund are not valid'),
    ]);
  });

  test('another tool on the same table', async () => {
    const { problems } = await run({ tool: refundTool(BY_LINE, ({ quantity }) => ({ quantity }), 'refund_line') });
    expect(problems).toEqual([{ kind: 'other-tool', case: null, was: 'refund', is: 'refund_line' }]);
  });

  test('a case that stands twice', async () => {
    expect(await kindsOf({ cases: [...CASES, CASES[0] as GoldenCase] })).toEqual(['case-twice']);
  });

  test.each([
    ['no JSON', '{'],
    ['no table', '{"rows":[]}'],
    ['a merge gone wrong', '<<<<<<< HEAD'],
  ])('a file that holds %s; it is never written over', async (_what, text) => {
    writeFileSync(file, text);
    expect(await kindsOf({})).toEqual(['file-unreadable']);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('nothing is written while anything is wrong, however many cases are new', async () => {
    const before = readFileSync(file, 'utf8');
    await run({ tool: refundTool(WITH_QUANTITY), cases: [...CASES, { input: { order: '7', line: 'li_1' } }] });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('an ID or an intent that depends on the session, the clock or a call', async () => {
    let calls = 0;
    const unsteady: readonly OperationTool[] = [
      refundTool(({ session }) => id`refund-${session}`),
      refundTool(BY_LINE, () => ({ at: Date.now() })),
      refundTool(BY_LINE, () => ({ count: ++calls })),
    ];
    for (const tool of unsteady) expect(await kindsOf({ tool })).toEqual(Array(4).fill('unsteady'));
  });
});

describe('where the variable CI is set', () => {
  const before = process.env['CI'];
  afterEach(() => {
    if (before === undefined) delete process.env['CI'];
    else process.env['CI'] = before;
  });

  test.each([
    ['true', ['row-missing'], false],
    ['1', ['row-missing'], false],
    ['false', [], true],
    ['', [], true],
  ])('to %j a new row is refused or written', async (value, kinds, isWritten) => {
    process.env['CI'] = value;
    const options = { tool: refundTool(), file, caller: CALLER, cases: CASES.slice(0, 1) };
    expect((await runGoldenIds(options)).problems.map(({ kind }) => kind)).toEqual(kinds);
    expect(existsSync(file)).toBe(isWritten);
  });
});

describe('describeGoldenIds', () => {
  /** A test runner that only listens, in the place of jest's. */
  async function registered(options: Partial<GoldenIdsOptions>) {
    const tests: { name: string; run: () => Promise<void> }[] = [];
    const globals = globalThis as unknown as { describe: unknown; test: unknown };
    const { describe: jestDescribe, test: jestTest } = globals;
    globals.describe = (_name: string, register: () => void) => register();
    globals.test = (name: string, body: () => Promise<void>) => tests.push({ name, run: body });
    try {
      describeGoldenIds({ tool: refundTool(), file, caller: CALLER, cases: CASES, addRows: false, ...options });
    } finally {
      Object.assign(globals, { describe: jestDescribe, test: jestTest });
    }
    const ends: [string, 'kept' | GoldenIdsBrokenError][] = [];
    for (const { name, run: body } of tests) {
      ends.push([
        name,
        await body().then(
          () => 'kept' as const,
          (error: GoldenIdsBrokenError) => error,
        ),
      ]);
    }
    return ends;
  }

  test('registers a test for each case, which names its ID and who shares it', async () => {
    await run();
    expect(await registered({})).toEqual([
      [`${LI_1} is refund-1043-li_1`, 'kept'],
      [`${LI_2} is refund-1043-li_2, as is ${HASH}`, 'kept'],
      [`${HASH} is refund-1043-li_2, as is ${LI_2}`, 'kept'],
      ['{"order":"1043","line":"li_2"} of customer-77 at outlet is refund-1043-li_2', 'kept'],
      ['every row of the table has its case, and the table is this tool’s', 'kept'],
    ]);
  });

  test('fails the tests of the cases that changed, and no other', async () => {
    await run();
    const changed = refundTool((objects) => (objects.line === 'li_1' ? WITH_QUANTITY(objects) : BY_LINE(objects)));
    const ends = await registered({ tool: async () => changed });
    expect(ends.map(([, end]) => end !== 'kept')).toEqual([true, false, false, false, false]);
    expect(ends[0]?.[1]).toMatchObject({ code: 'SENDONCE_GOLDEN_IDS_BROKEN', problems: [{ kind: 'id-changed' }] });
  });

  test('fails its last test for rows without a case, and says of new cases that they are new', async () => {
    await run({ cases: CASES.slice(0, 2) });
    const ends = await registered({ cases: CASES.slice(1, 3) });
    expect(ends.map(([name]) => name)).toContain(`${HASH} is new`);
    expect(ends.map(([, end]) => (end === 'kept' ? end : end.problems.map(({ kind }) => kind)))).toEqual([
      'kept',
      ['row-missing'],
      ['case-missing'],
    ]);
  });

  test('fails every test where the table cannot be read: nothing was compared', async () => {
    await run();
    writeFileSync(file, '{');
    expect((await registered({})).map(([, end]) => end !== 'kept')).toEqual(Array(5).fill(true));
  });

  test('outside of a test runner says what to use', () => {
    const globals = globalThis as unknown as { describe: unknown };
    const { describe: jestDescribe } = globals;
    globals.describe = undefined;
    try {
      expect(() => describeGoldenIds({ tool: refundTool(), file, caller: CALLER, cases: CASES })).toThrow(
        /elsewhere use runGoldenIds/,
      );
    } finally {
      globals.describe = jestDescribe;
    }
  });
});
