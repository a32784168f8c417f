// Needs Postgres.
import { Hints } from '../../src/activities/hints';
import { operationsIn } from '../../src/client/operations';
import { pausesIn } from '../../src/client/pauses';
import { refundTool } from '../support/refund-rig';
import { REFUND_ID, RefundStory } from '../support/refund-story';

const PROVIDER = { kind: 'provider', name: 'stripe.refunds' } as const;
const ANN = { by: 'ann', note: 'Stripe has an incident.' };
const REF = { tenant: 'shop', operationId: REFUND_ID };

let story: RefundStory;
beforeEach(async () => {
  story = await RefundStory.begin();
});
afterEach(() => story.end());

const parts = () => ({ database: story.database, closing: new AbortController().signal, hints: new Hints() });

test('pauses: what is paused waits, and is sent by reconciliation after the resume', async () => {
  const pauses = pausesIn(parts());
  expect(await pauses.pause(PROVIDER, ANN)).toMatchObject({ isNew: true });
  expect(await story.call()).toBe('waiting');
  expect(await pauses.list()).toEqual([{ ...PROVIDER, ...ANN, since: expect.any(Number), waiting: 1 }]);
  const operations = operationsIn(parts());
  const waiting = { state: 'registered', waitsFor: 'resume', checks: 0, checkedAt: null, dueAt: expect.any(Number) };
  expect((await operations.list()).operations).toMatchObject([waiting]);
  expect(await operations.get(REF)).toMatchObject(waiting);
  expect(await pauses.resume(PROVIDER)).toMatchObject({ resumed: PROVIDER, waiting: 1 });
  await story.reconcile(REFUND_ID);
  expect(await operations.get(REF)).toMatchObject({ state: 'confirmed', waitsFor: null, dueAt: null });
  expect(story.stripe.report().totals).toEqual({ effects: 1, sends: 1 });
});

test('operations.check: asks the provider and gives the operation before and after', async () => {
  await story.call({ kind: 'drop-answer', route: 'create' });
  const tools = [story.tool];
  expect(await operationsIn(parts()).check(REF, { tools })).toMatchObject({
    kind: 'checked',
    before: { state: 'unknown', version: 3, dueAt: expect.any(Number) },
    after: { state: 'confirmed', version: 4, dueAt: null },
    news: [{ kind: 'evidence' }],
  });
  const nowhere = await operationsIn(parts()).check({ ...REF, operationId: 'nowhere' }, { tools });
  expect(nowhere).toEqual({ kind: 'not-asked', why: 'There is no operation nowhere.' });
});

test('operations.redo: registers, and reconciliation sends; said again it registers nothing', async () => {
  await story.call();
  const redo = { id: 'refund-1043-req_B', ...ANN, tools: [refundTool()] };
  const operations = operationsIn(parts());
  const end = await operations.redo(REF, redo);
  expect(end).toMatchObject({ isNew: true, operation: { operationId: redo.id, waitsFor: 'redo' } });
  expect(await operations.get(end.operation)).toEqual(end.operation);
  await story.reconcile(redo.id);
  expect(await operations.redo(REF, redo)).toMatchObject({ isNew: false, operation: { state: 'confirmed' } });
  expect(story.stripe.report().totals).toEqual({ effects: 2, sends: 2 });
  await expect(operations.redo(REF, { ...redo, by: ' ' })).rejects.toMatchObject({ code: 'SENDONCE_REDO_REFUSED' });
});
