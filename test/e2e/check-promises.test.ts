// Needs nothing.
import { brokenNaivePromises, brokenPromises, type Judged } from '../../src/dev/scenarios/check-promises';
import type { RunHistory } from '../../src/dev/scenarios/run-result';
import type { Scenario } from '../../src/dev/scenarios/scenario';
import { SCENARIOS } from '../../src/dev/scenarios/scenarios';

const ID = 'refund-1043-li_2';
const OPERATION = {
  id: ID,
  state: 'confirmed',
  reason: null,
  externalId: 're_1',
  attempts: 1,
  generation: 1,
  key: ID,
};
const REPLY = { tool: 'refund_line_item', code: 'done', retryAction: 'none', isError: false, operationId: ID } as const;
const FOUND = { ...REPLY, tool: 'find_order', operationId: null } as const;
const RESULT = {
  effects: 1,
  sends: 1,
  operations: [OPERATION],
  told: ['Shall I?', 'Done: re_1.'],
  followUps: 0,
  escalations: 0,
};

/** Only what is judged of a history. */
function history(answers: readonly string[], resolvedBy = 'answer'): RunHistory {
  const events = answers.map((kind) => ({ kind: 'answered', outcome: { kind } }));
  return { operation: { resolvedBy }, events } as unknown as RunHistory;
}

const KEPT: Judged = {
  orderId: '1043',
  result: RESULT,
  histories: [history(['confirmed'])],
  replies: [[FOUND], [REPLY]],
};

function scenario(name: string): Scenario {
  const found = SCENARIOS.find((one) => one.name === name);
  if (!found) throw new Error(`There is no scenario ${name}.`);
  return found;
}

function withOperation(otherwise: Partial<typeof OPERATION>): Partial<Judged> {
  return { result: { ...RESULT, operations: [{ ...OPERATION, ...otherwise }] } };
}

describe('a run is judged by its scenario’s promise', () => {
  test('a run that kept it → nothing is broken', () => {
    expect(brokenPromises(scenario('happy'), KEPT)).toEqual([]);
  });

  test.each<[string, Partial<Judged>, RegExp]>([
    ['a second refund', { result: { ...RESULT, effects: 2 } }, /^refunds at the provider: promised 1, found 2$/],
    ['a second request', { result: { ...RESULT, sends: 2 } }, /^requests that reached the provider/],
    ['no operation', { result: { ...RESULT, operations: [] }, histories: [] }, /^number of operations: promised 1/],
    [
      'another ID',
      withOperation({ id: 'refund-1043-li_3' }),
      /^id of operation 1: .*"refund-1043-li_2".*"refund-1043-li_3"/,
    ],
    ['another key', withOperation({ key: `${ID}~2` }), /^key of operation 1: .*~2/],
    ['another state', withOperation({ state: 'unknown' }), /^state of operation 1: /],
    ['another generation', withOperation({ generation: 2 }), /^generation of operation 1: /],
    ['another attempt', withOperation({ attempts: 2 }), /^attempts of operation 1: /],
    [
      'a late answer',
      { histories: [history(['unknown', 'confirmed'])] },
      /^answers of operation 1: .*\["unknown","confirmed"\]/,
    ],
    ['no answer', { histories: [history([])] }, /^answers of operation 1: /],
    ['settled by a query', { histories: [history(['confirmed'], 'query')] }, /^resolvedBy of operation 1: /],
    ['another reply', { replies: [[FOUND], [{ ...REPLY, code: 'already_done' }]] }, /^answers of the refund tools/],
    ['a reply too many', { replies: [[FOUND], [REPLY, REPLY]] }, /^answers of the refund tools/],
    ['a step too many', { replies: [[FOUND], [REPLY], [REPLY]] }, /^answers of the refund tools/],
    ['a number nobody knows', withOperation({ externalId: null as never }), /^number of refunds that/],
    ['a customer who was not told', { result: { ...RESULT, told: ['Done.'] } }, /^refunds that the customer was told/],
    [
      'a customer who was told of another',
      { result: { ...RESULT, told: ['re_1, re_2'] } },
      /^refunds that the customer/,
    ],
    ['a settlement told twice', { result: { ...RESULT, followUps: 1 } }, /^settlements told after their turns/],
    ['a person', { result: { ...RESULT, escalations: 1 } }, /^operations put before a person/],
  ])('%s → it is told', (_what, otherwise, told) => {
    expect(brokenPromises(scenario('happy'), { ...KEPT, ...otherwise }).join('\n')).toMatch(told);
  });

  test('the late answer is what slow-answer promises: without it the promise is broken', () => {
    const replies: Judged['replies'] = [[{ ...REPLY, code: 'outcome_unknown' }], [{ ...REPLY, code: 'already_done' }]];
    const late = { ...KEPT, replies, histories: [history(['unknown', 'confirmed'])] };
    expect(brokenPromises(scenario('slow-answer'), late)).toEqual([]);
    expect(brokenPromises(scenario('slow-answer'), { ...late, histories: [history(['unknown'])] })).toEqual([
      'answers of operation 1: promised ["unknown","confirmed"], found ["unknown"]',
    ]);
  });

  test('two-found: a reason that says something else, and a number that was told, break the promise', () => {
    const operation = { ...OPERATION, state: 'escalated', reason: 'There are 2 effects: re_1, re_2.' };
    const found: Judged = {
      ...KEPT,
      result: { ...RESULT, effects: 2, operations: [operation as never], told: ['You will hear.'], escalations: 1 },
      histories: [history(['unknown'], null as never)],
      replies: [[{ ...REPLY, code: 'outcome_unknown' }]],
    };
    const broken = (result: Partial<Judged['result']>) =>
      brokenPromises(scenario('two-found'), { ...found, result: { ...found.result, ...result } }).join('\n');
    expect(broken({})).toBe('');
    expect(broken({ operations: [{ ...operation, reason: 'Nobody knows.' } as never] })).toMatch(
      /^reason of operation 1: promised .*There are 2 effects.*, found "Nobody knows\."$/,
    );
    expect(broken({ told: ['Done: re_1.'] })).toMatch(/^refunds that the customer was told of: promised \[\]/);
    expect(broken({ escalations: 0 })).toMatch(/^operations put before a person: promised 1, found 0$/);
  });

  test('with the tool as commonly written the refunds are counted alone', () => {
    expect(brokenNaivePromises(scenario('new-session'), { effects: 2 })).toEqual([]);
    expect(brokenNaivePromises(scenario('new-session'), { effects: 1 })).toEqual([
      'refunds at the provider: 2 expected, found 1',
    ]);
  });
});
