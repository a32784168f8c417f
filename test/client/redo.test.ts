// Needs nothing.
import Stripe from 'stripe';
import { z } from 'zod';
import { redoOperation } from '../../src/client/redo-operation';
import type { OperationEvent } from '../../src/operations/event';
import { id } from '../../src/operations/operation-id';
import { stripeRefunds } from '../../src/providers/stripe';
import { InMemoryLedger } from '../../src/testing/in-memory-ledger';
import { defineOperation } from '../../src/tools/define-operation';
import { answered, callRef, marked, RECEIPT, registered, T0 } from '../support/fixtures';
import { outOfReach, WatchedLedger } from '../support/perform-rig';

const REF = { tenant: 'shop', operationId: 'refund-1043-li_2' };
const NEWS = { tenant: 'shop', operationId: 'refund-1043-req_B' };
const REDO = { id: NEWS.operationId, by: 'ann', note: 'Charged twice.' };
const CONFIRMED = answered({ kind: 'confirmed', externalId: 're_1', receipt: RECEIPT });
const REJECTED = answered({
  kind: 'rejected',
  ...{ code: 'charge_disputed', message: 'Disputed.', covers: 'all', externalId: null, receipt: RECEIPT },
});

const provider = stripeRefunds({ connect: (config) => new Stripe('sk_test_1', config), sharedAccount: true });
const request = provider.encode(
  { paymentIntent: 'pi_1', amount: 38_000, currency: 'twd' },
  { operationId: REF.operationId, key: `shop~${REF.operationId}` },
);
const FIRST = registered({ key: `shop~${REF.operationId}`, request });
const tool = defineOperation({
  name: 'refund_line_item',
  description: 'Refund one line item.',
  input: z.object({ orderId: z.string() }),
  resolve: (input) => input,
  operationId: ({ orderId }) => id`refund-${orderId}`,
  request: () => ({ paymentIntent: 'pi_1', amount: 1, currency: 'twd' }),
  provider,
});

let ledger: WatchedLedger;
beforeEach(() => {
  ledger = new WatchedLedger(new InMemoryLedger(T0));
});

async function add(ref: typeof REF, ...events: readonly OperationEvent[]): Promise<void> {
  const { events: before } = await ledger.inner.load(ref);
  await ledger.inner.save({ ...ref, before, events });
}
const redo = (change: Partial<typeof REDO> = {}) => redoOperation(ledger, REF, { ...REDO, ...change }, [tool]);
const kinds = async (ref: typeof REF) => (await ledger.inner.load(ref)).events.map(({ kind }) => kind);

test('the new request bears the new ID and key, the tenant in front where the account is shared', async () => {
  await add(REF, FIRST, marked(), CONFIRMED);
  const { operation, isNew } = await redo();
  const key = `shop~${NEWS.operationId}`;
  expect({ isNew, key: operation.key }).toEqual({ isNew: true, key });
  expect(operation.events[0]).toMatchObject({
    request: provider.encode(
      { paymentIntent: 'pi_1', amount: 38_000, currency: 'twd' },
      { operationId: NEWS.operationId, key },
    ),
  });
});

test('the key must fit with the tenant in front and room for a generation', async () => {
  await add(REF, FIRST, marked(), CONFIRMED);
  await expect(redo({ id: 'x'.repeat(247) })).rejects.toMatchObject({
    code: 'SENDONCE_REDO_REFUSED',
    message: expect.stringMatching(/has 247 characters; the provider has room for 246\.$/),
  });
  await expect(redo({ id: 'x'.repeat(246) })).resolves.toMatchObject({ isNew: true });
});

test('a rejected original that a call opened again meanwhile is judged anew: nothing is registered', async () => {
  await add(REF, FIRST, marked(), REJECTED);
  const second = { ...FIRST, generation: 2, key: `shop~${REF.operationId}~2`, call: callRef('chat-1/2/1/0') };
  ledger.before('save', () => add(REF, second, marked({ generation: 2, call: second.call })));
  await expect(redo()).rejects.toMatchObject({ message: expect.stringMatching(/^It is under way/) });
  expect(await kinds(NEWS)).toEqual([]);
  expect(await kinds(REF)).toEqual(['registered', 'marked', 'answered', 'registered', 'marked']);
});

test('a process that dies between the two saves: the same redo goes on, another ID is refused', async () => {
  await add(REF, FIRST, marked(), REJECTED);
  ledger.before('save', () => undefined, outOfReach);
  await expect(redo()).rejects.toThrow('out of reach');
  expect(await kinds(NEWS)).toEqual([]);
  await expect(redo({ id: 'refund-1043-req_C' })).rejects.toThrow(/^It was replaced by refund-1043-req_B already\./);
  await expect(redo()).resolves.toMatchObject({ isNew: true });
  expect(await kinds(REF)).toEqual(['registered', 'marked', 'answered', 'resolved']);
});

test('two people who replace a rejected one under two IDs: one does', async () => {
  await add(REF, FIRST, marked(), REJECTED);
  const ends = await Promise.allSettled([redo(), redo({ id: 'refund-1043-req_C', by: 'bob' })]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('an ID that a call took meanwhile is refused, and that call keeps it', async () => {
  await add(REF, FIRST, marked(), CONFIRMED);
  ledger.before('save', () => add(NEWS, registered({ key: 'other' })));
  await expect(redo()).rejects.toThrow(/^There is an operation refund-1043-req_B already\./);
  expect(await kinds(NEWS)).toEqual(['registered']);
});

test('an ID of another operation’s redo is refused', async () => {
  const other = { ...REF, operationId: 'refund-1043-li_3' };
  await add(REF, FIRST, marked(), CONFIRMED);
  await add(other, FIRST, marked(), CONFIRMED);
  await redo();
  await expect(redoOperation(ledger, other, REDO, [tool])).rejects.toThrow(/^There is an operation/);
});

test('an ID that is no text, as JavaScript may give it, is refused', async () => {
  await add(REF, FIRST, marked(), CONFIRMED);
  await expect(redo({ id: undefined as never })).rejects.toThrow(/^Name the new operation/);
});
