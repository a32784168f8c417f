import { type DemoEnd, runDemo } from './demo-command';

/** What a run must print, said here once more and in numbers: the scenarios' own promises are judged, too. */
export interface PromisedRun {
  readonly effects: number;
  readonly sends: number;
  readonly operations: readonly PromisedOperation[];
  /** Of the refund tools, in alphabetical order. */
  readonly codes: readonly string[];
  readonly resolvedBy: string | null;
  /** Tenant and number of the last turn that a message began. */
  readonly lastTurn: readonly [tenant: string, turn: number];
  /** Settlements told after their turns, and operations put before a person: none unless given. */
  readonly followUps?: number;
  readonly escalations?: number;
  /** Refunds that the customers were told of by number: those that the operations know unless given. */
  readonly told?: 0;
  /** What the last message says; only read where given. */
  readonly lastWords?: RegExp;
}

interface PromisedOperation {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly generation: number;
  readonly key: string;
  /** Null for what is confirmed, and any words else, unless given. */
  readonly reason?: RegExp;
  /** Whether a refund is known by number; of what is confirmed alone unless given. */
  readonly known?: true;
}

const done = (id: string, otherwise: Partial<PromisedOperation> = {}): PromisedOperation => ({
  ...{ id, state: 'confirmed', attempts: 1, generation: 1, key: id },
  ...otherwise,
});

const ONE: PromisedRun = {
  effects: 1,
  sends: 1,
  operations: [done('refund-1043-li_2')],
  codes: ['done'],
  resolvedBy: 'answer',
  lastTurn: ['shop', 2],
};

/** Refunds and requests are counted by the provider. */
export const LOST_AND_KILLED: Readonly<Record<string, PromisedRun>> = {
  happy: ONE,
  'lost-answer': { ...ONE, codes: ['already_done', 'outcome_unknown'], resolvedBy: 'query' },
  'lost-request': {
    ...ONE,
    sends: 2,
    operations: [done('refund-1043-li_2', { attempts: 2 })],
    codes: ['done', 'outcome_unknown'],
  },
  'server-error': { ...ONE, codes: ['already_done', 'outcome_unknown'], resolvedBy: 'query' },
  'twice-at-once': { ...ONE, codes: ['already_done', 'done'] },
  'two-items': {
    ...ONE,
    effects: 2,
    sends: 2,
    operations: [done('refund-1043-li_2'), done('refund-1043-li_3')],
    codes: ['done', 'done'],
  },
  'not-submitted': { ...ONE, operations: [done('refund-1043-li_2', { attempts: 3 })] },
  'worker-killed': { ...ONE, resolvedBy: 'query' },
  zombie: { ...ONE, operations: [done('refund-1043-li_2', { attempts: 2 })] },
};

export const ASKED_AND_REFUSED: Readonly<Record<string, PromisedRun>> = {
  'slow-answer': { ...ONE, codes: ['already_done', 'outcome_unknown'] },
  reworded: { ...ONE, codes: ['already_done', 'conflict', 'done'], lastTurn: ['shop', 4] },
  'new-session': { ...ONE, codes: ['already_done', 'done'] },
  spelled: { ...ONE, codes: ['already_done', 'already_done', 'done'] },
  'refused-before-send': {
    effects: 0,
    sends: 0,
    operations: [],
    codes: ['invalid_input'],
    resolvedBy: null,
    lastTurn: ['shop', 1],
  },
  'rejected-then-fixed': {
    ...ONE,
    sends: 2,
    operations: [done('refund-1043-li_2', { generation: 2, key: 'refund-1043-li_2~2' })],
    codes: ['done', 'rejected', 'rejected'],
    lastTurn: ['shop', 3],
  },
  'over-refund': {
    ...ONE,
    effects: 0,
    operations: [done('refund-1043-li_2', { state: 'rejected' })],
    codes: ['rejected'],
  },
  'three-requests': {
    ...ONE,
    effects: 3,
    sends: 3,
    operations: [done('refund-1043-req_A'), done('refund-1043-req_B'), done('refund-1043-req_C')],
    codes: ['done', 'done', 'done'],
  },
  'two-tenants': {
    ...ONE,
    effects: 2,
    sends: 2,
    operations: [
      done('refund-1043-li_2', { key: 'shop~refund-1043-li_2' }),
      done('refund-1043-li_2', { key: 'outlet~refund-1043-li_2' }),
    ],
    codes: ['done', 'done'],
    lastTurn: ['outlet', 2],
  },
};

const DONE_LATER = /^Your 380\.00 TWD refund re_\w+ is done\.$/;
const NOT_DONE = /^I am sorry: your 380\.00 TWD refund did not take place, and nothing was paid back\.$/;
const FOUND_LATER = {
  ...ONE,
  codes: ['outcome_unknown'],
  resolvedBy: 'query',
  followUps: 1,
  lastWords: DONE_LATER,
} as const satisfies PromisedRun;

export const FOUND_OUT_AND_TOLD: Readonly<Record<string, PromisedRun>> = {
  'never-asked-again': FOUND_LATER,
  'stored-500': { ...FOUND_LATER, resolvedBy: 'webhook' },
  'lagging-list': {
    ...ONE,
    sends: 2,
    operations: [done('refund-1043-li_2', { attempts: 2 })],
    codes: ['done', 'outcome_unknown'],
    resolvedBy: 'query',
  },
  'pending-refund': { ...FOUND_LATER, codes: ['in_progress'] },
  'turn-gone': { ...FOUND_LATER, codes: [] },
  'two-sessions': { ...FOUND_LATER, codes: ['outcome_unknown', 'outcome_unknown'], followUps: 2 },
  'clicked-twice': { ...ONE, codes: ['already_done', 'done'], lastTurn: ['shop', 3] },
};

const BEFORE_A_PERSON = {
  ...ONE,
  codes: ['outcome_unknown'],
  resolvedBy: null,
  escalations: 1,
} as const satisfies PromisedRun;

const escalated = (reason: RegExp, otherwise: Partial<PromisedOperation> = {}): PromisedOperation =>
  done('refund-1043-li_2', { state: 'escalated', reason, ...otherwise });

export const BEFORE_PEOPLE: Readonly<Record<string, PromisedRun>> = {
  '500-not-made': {
    ...BEFORE_A_PERSON,
    effects: 0,
    operations: [done('refund-1043-li_2', { state: 'rejected', reason: /^ann: / })],
    resolvedBy: 'person',
    followUps: 1,
    lastWords: NOT_DONE,
  },
  'key-expired': {
    ...BEFORE_A_PERSON,
    effects: 0,
    operations: [escalated(/^Nobody knows whether it took effect/)],
  },
  'late-after-escalation': { ...FOUND_LATER, escalations: 1 },
  'failed-later': {
    ...BEFORE_A_PERSON,
    operations: [escalated(/^re_\w+ succeeded and failed\.$/, { known: true })],
    codes: ['done'],
  },
  'two-found': {
    ...BEFORE_A_PERSON,
    effects: 2,
    operations: [escalated(/^There are 2 effects: re_\w+, re_\w+\.$/, { known: true })],
    told: 0,
  },
  'person-wrong': {
    ...BEFORE_A_PERSON,
    operations: [escalated(/^re_\w+ exists, but a person said that generation 1 had no effect\.$/, { known: true })],
    followUps: 1,
    told: 0,
    lastWords: NOT_DONE,
  },
  paused: { ...ONE, codes: ['waiting'], followUps: 1, lastWords: DONE_LATER },
};

/** The last line of `--json`. */
export interface PrintedRun {
  readonly [key: string]: unknown;
  readonly operations: readonly Record<string, unknown>[];
  readonly replies: readonly Record<string, unknown>[];
  readonly told: readonly string[];
}

export function printedRun({ stdout }: DemoEnd): PrintedRun {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as PrintedRun;
}

/** What `--json` prints: these keys in this order, and no other. */
const KEYS = [
  'scenario',
  'ok',
  'effects',
  'sends',
  'modelCalls',
  'operations',
  'replies',
  'told',
  'followUps',
  'escalations',
  'resolvedBy',
  'workflowId',
  'temporalUi',
];
const OPERATION_KEYS = ['id', 'state', 'reason', 'externalId', 'attempts', 'generation', 'key'];
const REPLY_KEYS = ['tool', 'code', 'retryAction', 'isError', 'operationId'];

/** Runs the scenario as a person would, and expects what it prints to be what was promised. */
export async function expectPromises(name: string, promised: PromisedRun, dataDir: string): Promise<PrintedRun> {
  const end = await runDemo(['--once', '--scenario', name, '--json'], { dataDir });
  expect(end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\{.*\}\n$/) });
  expect(end.stderr).toContain(`${name}: `);
  const run = printedRun(end);
  expect(Object.keys(run)).toEqual(KEYS);
  for (const operation of run.operations) expect(Object.keys(operation)).toEqual(OPERATION_KEYS);
  for (const reply of run.replies) expect(Object.keys(reply)).toEqual(REPLY_KEYS);

  const { effects, sends, resolvedBy, operations, codes, lastTurn } = promised;
  const { followUps = 0, escalations = 0 } = promised;
  expect(run).toMatchObject({ scenario: name, ok: true, effects, sends, resolvedBy, followUps, escalations });
  expect(run.operations).toEqual(
    operations.map(({ reason, known, ...operation }) => {
      const confirmed = operation.state === 'confirmed';
      const said = reason === undefined ? expect.any(String) : expect.stringMatching(reason);
      const externalId = confirmed || known ? expect.stringMatching(/^re_/) : null;
      return { ...operation, reason: confirmed ? null : said, externalId };
    }),
  );
  const refunds = run.replies.filter(({ tool }) => String(tool).startsWith('refund_'));
  // Two calls of one step stand in the order of the model's answer, whichever of them sent.
  expect(refunds.map(({ code }) => code).sort()).toEqual(codes);
  const known = run.operations.flatMap(({ externalId }) => externalId ?? []);
  expect(new Set(run.told.join(' ').match(/re_\w+/g) ?? [])).toEqual(new Set(promised.told === 0 ? [] : known));
  expect(known).toHaveLength(Math.min(effects, operations.length));
  if (promised.lastWords) expect(run.told.at(-1)).toMatch(promised.lastWords);

  const [tenant, turn] = lastTurn;
  expect(run['workflowId']).toMatch(new RegExp(`^turn/${tenant}/chat-1043-[0-9a-f]{8}/${turn}$`));
  const ui = new RegExp(`^http://127\\.0\\.0\\.1:\\d+/namespaces/default/workflows/turn%2F${tenant}%2F`);
  expect(run['temporalUi']).toMatch(ui);
  return run;
}
