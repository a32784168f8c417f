// Needs Postgres.
import { ActivityRig, refund, TENANT, toolCall } from '../support/activity-rig';
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
const ask = (operationId: unknown, customer?: string) =>
  rig.told(toolCall('operation_status', { operationId }), customer === undefined ? {} : { customer });
const askedOf = async (operationId: string) => JSON.parse((await ask(operationId)).text);

describe('what became of an operation', () => {
  test('done: its code, its number and the words for it; nothing is sent', async () => {
    await rig.told(refund({ lineItemId: 'li_2' }));
    expect(await askedOf(REFUND_ID)).toEqual({
      ...{ operationId: REFUND_ID, code: 'already_done', externalId: 'po_1', attempts: 1 },
      text: expect.stringMatching(/^Already done: refund_line_item/),
    });
    expect(rig.provider.sends).toHaveLength(1);
  });

  test('unknown: the provider is asked, and what it says is recorded', async () => {
    rig.provider.treat('li_2', 'lose-answer');
    await rig.told(refund({ lineItemId: 'li_2' }));
    expect(await askedOf(REFUND_ID)).toMatchObject({ code: 'already_done', externalId: 'po_1' });
    expect((await rig.kinds(REFUND_ID)).at(-1)).toBe('evidence');
  });

  test('unknown and not found: still unknown, and nothing is sent, though the same key might be', async () => {
    rig.provider.treat('li_2', 'lose-request');
    await rig.told(refund({ lineItemId: 'li_2' }));
    expect(await askedOf(REFUND_ID)).toMatchObject({ code: 'outcome_unknown', externalId: null });
    expect(rig.provider.sends).toHaveLength(1);
  });

  test('in flight: in_progress', async () => {
    const step = await rig.planned([refund({ lineItemId: 'li_2' })]);
    const gate = rig.provider.holdAnswer('li_2');
    const running = rig.callTool({ ...step, position: 0 });
    await gate.reached;
    expect(await askedOf(REFUND_ID)).toMatchObject({ code: 'in_progress' });
    gate.open();
    await running;
  });

  test('on a worker that lacks its tool: what the ledger knows, without asking anybody', async () => {
    rig.provider.treat('li_2', 'lose-answer');
    await rig.told(refund({ lineItemId: 'li_2' }));
    const other = new ActivityRig(test_, { tools: [] });
    const reply = await other.told(toolCall('operation_status', { operationId: REFUND_ID }));
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'outcome_unknown' });
    expect((await rig.kinds(REFUND_ID)).at(-1)).toBe('answered');
  });
});

describe('somebody else’s operation is as absent as none', () => {
  test('the same words, but for the ID that was asked for', async () => {
    await rig.told(refund({ lineItemId: 'li_2' }));
    const foreign = await ask(REFUND_ID, 'customer-88');
    const absent = await ask('refund-1043-li_x', 'customer-88');
    expect(foreign).toEqual({ ...absent, text: absent.text.replace('li_x', 'li_2') });
    expect(foreign).toMatchObject({
      code: 'invalid_input',
      text: `There is no operation "${REFUND_ID}". This call only reads and changed nothing.`,
    });
  });

  test('another tenant’s customer of the same name hears nothing', async () => {
    await rig.told(refund({ lineItemId: 'li_2' }));
    await test_.database.pool.query(`update sendonce.events set tenant = 'other' where operation_id = $1`, [REFUND_ID]);
    await expect(ask(REFUND_ID)).resolves.toMatchObject({ code: 'invalid_input' });
  });

  test('asking leaves no trace: who asked in vain asks in vain again', async () => {
    await rig.told(refund({ lineItemId: 'li_2' }));
    const before = await rig.events(REFUND_ID);
    await ask(REFUND_ID, 'customer-88');
    await expect(ask(REFUND_ID, 'customer-88')).resolves.toMatchObject({ code: 'invalid_input' });
    expect(await rig.events(REFUND_ID)).toEqual(before);
  });

  test('a foreign order is refused before anything is read of its operations', async () => {
    const foreign = await rig.told(refund({ lineItemId: 'li_2' }), { customer: 'customer-88' });
    expect(foreign.text).toBe('This customer has no order "1043". Nothing was sent.');
    await rig.told(refund({ lineItemId: 'li_2' }));
    expect(await rig.told(refund({ lineItemId: 'li_2' }), { customer: 'customer-88' })).toEqual(foreign);
  });
});

describe('an ID that cannot be one is refused before the ledger is asked', () => {
  test.each([
    ['empty', ''],
    ['with a NUL', 'refund\0'],
    ['with a lone surrogate', 'refund\uD800'],
    ['with a blank', 'refund 1'],
    ['a key, with its generation', 'refund-1043-li_2~2'],
    ['of 10 kB', 'x'.repeat(10_000)],
    ['a number', 1043],
    ['a list', ['refund-1043-li_2']],
    ['nothing', undefined],
  ])('%s', async (_what, operationId) => {
    await rig.told(refund({ lineItemId: 'li_2' }));
    const reply = await ask(operationId);
    expect(reply).toMatchObject({ code: 'invalid_input', isError: true });
    expect(reply.text).toMatch(/arguments of operation_status are not valid/);
    expect(reply.text).not.toContain('sent');
    expect(reply.text.length).toBeLessThan(300);
  });
});

test('NUL and 10 kB in the arguments of the user’s own tools reach the shop and come back as they are', async () => {
  const nul = await rig.told(refund({ orderId: '1043\0', lineItemId: 'li_2' }));
  expect(nul.text).toBe('This customer has no order "1043\\u0000". Nothing was sent.');
  const long = await rig.told(refund({ lineItemId: 'x'.repeat(10_000) }));
  expect(long).toMatchObject({ code: 'invalid_input', text: expect.stringContaining('xxx') });
  expect((await rig.ledger.load({ tenant: TENANT, operationId: REFUND_ID })).events).toEqual([]);
});
