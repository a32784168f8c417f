// Needs Postgres.
import { createActivities } from '../../src/activities/create-activities';
import { readTurn } from '../../src/conversations/turns';
import type { Outcome } from '../../src/operations/outcome';
import { ActivityRig, refund } from '../support/activity-rig';
import { outOfReach, WatchedLedger } from '../support/perform-rig';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

let test_: TestDatabase;
let rig: ActivityRig;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());
beforeEach(async () => {
  rig = new ActivityRig(test_);
  await rig.forget();
});

const REFUND_ID = 'refund-1043-li_2';

test('a worker’s activities are its tools by their names, and ours with “sendonce.” in front', () => {
  expect(Object.keys(createActivities(rig.context)).sort()).toEqual([
    ...['find_order', 'operation_status', 'refund_line_item'],
    ...['sendonce.callModel', 'sendonce.closeCall', 'sendonce.deliver', 'sendonce.endTurn', 'sendonce.nextTurn'],
    'sendonce.settleTurn',
  ]);
});

describe('the end of a turn without the model’s last word', () => {
  test.each(['step_limit', 'failed', 'cancelled'] as const)(
    '%s: promises no result and denies none',
    async (outcome) => {
      const turn = await rig.message();
      await rig.run('sendonce.endTurn', { ...turn, outcome });
      const { reply, ...end } = await readTurn(test_.database, turn);
      expect(end.outcome).toBe(outcome);
      expect(reply).toMatch(/(started|sent by then) is being taken care of, and you will hear about it/);
    },
  );

  test('counts once, and never after the model has answered', async () => {
    const turn = await rig.message();
    await rig.callModel({ ...turn, step: 1 });
    await rig.run('sendonce.endTurn', { ...turn, outcome: 'failed' });
    expect(await readTurn(test_.database, turn)).toMatchObject({ outcome: 'answered', reply: 'Goodbye.' });
  });
});

test('of 12 calls in 12 sessions at once, with lost answers and lost requests among them, one takes effect', async () => {
  rig.provider.treat('li_2', 'lose-request', 'lose-answer', 'lose-answer');
  const steps = [];
  for (let index = 0; index < 12; index++) steps.push(await rig.planned([refund({ lineItemId: 'li_2' })]));
  await Promise.all(steps.map((step) => rig.callTool({ ...step, position: 0 })));
  await expect(rig.told(refund({ lineItemId: 'li_2' }))).resolves.toMatchObject({ code: 'already_done' });
  expect(rig.provider.effects).toHaveLength(1);
  expect(new Set(rig.provider.sends)).toEqual(new Set([REFUND_ID]));
});

test('an answer of odd characters whose confirmation is lost is known again, and recorded once', async () => {
  const receipt = { requestId: 'a\0', httpStatus: null, detail: '\uD800"\\\u2028é' };
  const answer: Outcome = { kind: 'unknown', why: 'b\0\uDFFF', resend: 'allowed', receipt };
  const watched = new WatchedLedger(rig.ledger);
  const other = new ActivityRig(test_, { ledger: watched });
  other.provider.send = async () => answer;
  watched.after('save', () => undefined, outOfReach);
  await expect(other.told(refund({ lineItemId: 'li_2' }))).resolves.toMatchObject({ code: 'outcome_unknown' });
  const answers = (await rig.events(REFUND_ID)).filter(({ kind }) => kind === 'answered');
  expect(answers).toEqual([expect.objectContaining({ outcome: answer })]);
});
