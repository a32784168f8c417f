// Needs Postgres.
import type { CallPlace } from '../../src/conversations/refs';
import { ActivityRig, CUSTOMER, refund, TENANT, toolCall } from '../support/activity-rig';
import { WatchedLedger } from '../support/perform-rig';
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
const planned = async (call = refund({ lineItemId: 'li_2' })): Promise<CallPlace> => ({
  ...(await rig.planned([call])),
  position: 0,
});

describe('closing a call', () => {
  test('of an operation that was never registered → dropped, not_submitted; the call sends nothing any more', async () => {
    const place = await planned();
    await expect(rig.closeCall(place, 'No worker ran it.')).resolves.toMatchObject({ code: 'not_submitted' });
    expect(await rig.replies(place)).toMatchObject([
      { text: expect.stringContaining('Reason: No worker ran it.'), retryAction: 'same-request', attempts: 0 },
    ]);
    expect(await rig.kinds(REFUND_ID)).toEqual(['closed', 'dropped']);
    await expect(rig.callTool(place, { attempt: 9 })).resolves.toMatchObject({ code: 'not_submitted' });
    expect(rig.provider.sends).toEqual([]);
  });

  test('and a call planned after it registers afresh: same generation, same key', async () => {
    await rig.closeCall(await planned());
    await expect(rig.told(refund({ lineItemId: 'li_2' }))).resolves.toMatchObject({ code: 'done' });
    expect(rig.provider.effects).toMatchObject([{ key: REFUND_ID }]);
  });

  test('whose attempt is in flight → outcome_unknown at once; its answer still settles the operation', async () => {
    const place = await planned();
    const gate = rig.provider.holdAnswer('li_2');
    const running = rig.callTool(place);
    await gate.reached;
    await expect(rig.closeCall(place)).resolves.toMatchObject({ code: 'outcome_unknown' });
    gate.open();
    await expect(running).resolves.toMatchObject({ code: 'outcome_unknown' });
    expect(await rig.kinds(REFUND_ID)).toEqual(['registered', 'marked', 'closed', 'answered']);
    await expect(rig.told(refund({ lineItemId: 'li_2' }))).resolves.toMatchObject({ code: 'already_done' });
    expect(rig.provider.effects).toHaveLength(1);
  });

  test('whose attempts did not leave → dropped, and no attempt of it leaves any more', async () => {
    rig.provider.treat('li_2', 'turn-away');
    const place = await planned();
    await expect(rig.callTool(place)).rejects.toMatchObject({ type: 'SENDONCE_NOT_SUBMITTED' });
    await expect(rig.closeCall(place)).resolves.toMatchObject({ code: 'not_submitted' });
    await expect(rig.callTool(place, { attempt: 2 })).resolves.toMatchObject({ code: 'not_submitted' });
    expect(rig.provider.sends).toEqual([]);
  });

  test.each([
    ['answer', 'done'],
    ['refuse', 'rejected'],
    ['lose-answer', 'outcome_unknown'],
  ] as const)('that has its answer (%s) → the truth (%s), and no event is added', async (treatment, code) => {
    rig.provider.treat('li_2', treatment);
    const place = await planned();
    await rig.callTool(place);
    const before = await rig.kinds(REFUND_ID);
    await expect(rig.closeCall(place)).resolves.toMatchObject({ code });
    expect(await rig.kinds(REFUND_ID)).toEqual(before);
  });

  test('twice → the same, and no event is added', async () => {
    const place = await planned();
    const first = await rig.closeCall(place, 'First.');
    const kinds = await rig.kinds(REFUND_ID);
    expect(await rig.closeCall(place, 'Second.')).toEqual(first);
    expect(await rig.kinds(REFUND_ID)).toEqual(kinds);
    expect(await rig.replies(place)).toMatchObject([{ text: expect.stringContaining('First.') }]);
  });

  test('of a twin whose other half is in flight → in_progress, and that one goes on', async () => {
    const step = await rig.planned([refund({ lineItemId: 'li_2' }), refund({ lineItemId: 'li_2' })]);
    const gate = rig.provider.holdAnswer('li_2');
    const running = rig.callTool({ ...step, position: 0 });
    await gate.reached;
    await expect(rig.closeCall({ ...step, position: 1 })).resolves.toMatchObject({ code: 'in_progress' });
    gate.open();
    await expect(running).resolves.toMatchObject({ code: 'done' });
  });

  test('planned for generation 2 that never opened → the rejection; nothing opens it afterwards for this call', async () => {
    rig.provider.treat('li_2', 'refuse');
    await rig.told(refund({ lineItemId: 'li_2' }));
    const place = await planned();
    await expect(rig.closeCall(place)).resolves.toMatchObject({ code: 'rejected' });
    await expect(rig.callTool(place)).resolves.toMatchObject({ code: 'rejected' });
    expect(rig.provider.sends).toEqual([REFUND_ID]);
  });

  test('of a read-only tool → the model hears that it could not be read, and why', async () => {
    const place = await planned(toolCall('find_order', { orderId: '1043' }));
    await rig.closeCall(place, 'The shop is down.');
    expect(await rig.replies(place)).toMatchObject([
      { isError: true, text: 'find_order could not be read: The shop is down.', operationId: null },
    ]);
  });

  test('of which the result is stored already → that result', async () => {
    const place = await planned(toolCall('find_order', { orderId: '1043' }));
    await rig.callTool(place, {}, 'find_order');
    await expect(rig.closeCall(place)).resolves.toMatchObject({ code: 'done' });
  });

  test('on a worker that lacks the tool → the truth all the same: it was sent, and may have taken effect', async () => {
    rig.provider.treat('li_2', 'lose-answer');
    const place = await planned();
    await rig.callTool(place);
    await test_.database.pool.query('delete from sendonce.results');
    const other = new ActivityRig(test_, { tools: [] });
    await expect(other.closeCall(place)).resolves.toMatchObject({ code: 'outcome_unknown', operationId: REFUND_ID });
  });

  test('on a worker that lacks the tool, never registered → fenced for the workers that have it', async () => {
    const place = await planned();
    const other = new ActivityRig(test_, { tools: [] });
    await expect(other.closeCall(place)).resolves.toMatchObject({ code: 'not_submitted' });
    await expect(rig.callTool(place)).resolves.toMatchObject({ code: 'not_submitted' });
    await expect(rig.told(refund({ lineItemId: 'li_2' }))).resolves.toMatchObject({ code: 'done' });
  });
});

describe('closing races with the call’s own activity', () => {
  /** The same worker as `rig`, but for a ledger that lets something happen first. */
  function racing() {
    const watched = new WatchedLedger(rig.ledger);
    return { watched, racer: new ActivityRig(test_, { ledger: watched, provider: rig.provider }) };
  }

  test('closed right before the mark → the mark is lost, nothing is sent', async () => {
    const place = await planned();
    const { watched, racer } = racing();
    watched.before('save', async () => {
      await rig.closeCall(place);
    });
    await expect(racer.callTool(place)).resolves.toMatchObject({ code: 'not_submitted' });
    expect(rig.provider.sends).toEqual([]);
    expect(await rig.kinds(REFUND_ID)).toEqual(['closed', 'dropped']);
  });

  test('marked right before the close → the close is lost, reads again, and tells that the outcome is unknown', async () => {
    const place = await planned();
    const { watched, racer } = racing();
    const gate = rig.provider.holdAnswer('li_2');
    let running: Promise<unknown> = Promise.resolve();
    watched.before('save', async () => {
      running = rig.callTool(place);
      await gate.reached;
    });
    await expect(racer.closeCall(place)).resolves.toMatchObject({ code: 'outcome_unknown' });
    gate.open();
    await running;
    expect(await rig.kinds(REFUND_ID)).toEqual(['registered', 'marked', 'closed', 'answered']);
  });

  test('many times over: either it was sent once and is not denied, or it was closed and is never sent', async () => {
    for (let round = 0; round < 10; round++) {
      await rig.forget();
      const sent = rig.provider.sends.length;
      const place = await planned();
      const [called, closed] = await Promise.all([rig.callTool(place), rig.closeCall(place)]);
      const wasSent = rig.provider.sends.length > sent;
      expect(called).toEqual(closed);
      if (wasSent) expect(['done', 'outcome_unknown']).toContain(closed.code);
      else expect(closed.code).toBe('not_submitted');
    }
  });
});

test('a call that was never planned cannot be closed', async () => {
  const turn = await rig.message();
  const nowhere = { ...turn, step: 7, position: 0 };
  await expect(rig.closeCall(nowhere)).rejects.toMatchObject({ type: 'Bug', nonRetryable: true });
});

test('customers of a closed call may ask for the operation, others may not', async () => {
  await rig.closeCall(await planned());
  const ask = (customer: string) => rig.told(toolCall('operation_status', { operationId: REFUND_ID }), { customer });
  await expect(ask(CUSTOMER)).resolves.toMatchObject({ text: expect.stringContaining('not_submitted') });
  await expect(ask('customer-88')).resolves.toMatchObject({ code: 'invalid_input' });
  expect((await rig.ledger.load({ tenant: TENANT, operationId: REFUND_ID })).events).toHaveLength(2);
});
