// Needs nothing.
import Stripe from 'stripe';
import { RefusedError } from '../../src/operations/refused-error';
import { stripeRefunds } from '../../src/providers/stripe';

const MARK = { operationId: 'refund-1043-li_2', key: 'shop~refund-1043-li_2~2' };
const NEW = { operationId: 'refund-1043-req_B&=', key: 'shop~refund-1043-req_B&=' };
const REFUND = {
  paymentIntent: 'pi_1',
  amount: 38_000,
  currency: 'twd',
  reason: 'duplicate',
  // What looks like our marks, in a value: it stays.
  metadata: { note: 'metadata[op_id]=refund-1043-li_2 & more', ticket: 'refund-1043-li_2' },
} as const;

const provider = stripeRefunds({ connect: (config) => new Stripe('sk_test_1', config), account: 'acct_1' });
const remark = (body: string, mark = NEW) =>
  provider.remark?.({ account: 'acct_1', path: 'POST /v1/refunds', version: '2020-01-01.old', body }, mark);

test('is what encode writes for the new marks, with the stored account, path and version', () => {
  const stored = { ...provider.encode(REFUND, MARK), version: '2020-01-01.old' };
  const marked = provider.remark?.(stored, NEW);
  expect(marked).toEqual({ ...provider.encode(REFUND, NEW), version: '2020-01-01.old' });
  expect(marked).not.toEqual(stored);
});

test('keeps every other byte as it was stored, however it was written', () => {
  const head = 'amount=38000&unknown_field=a+b%20c&payment_intent=%70i_1&metadata[x]=';
  const body = `${head}&metadata%5Bop_id%5D=old&metadata[op_currency]=twd&metadata[op_key]=old~3&reason=`;
  expect(remark(body, { operationId: 'new', key: 'new' })?.body).toBe(
    `${head}&metadata[op_id]=new&metadata[op_currency]=twd&metadata[op_key]=new&reason=`,
  );
});

test.each([
  ['no refund', 'amount=38000'],
  ['one whose mark stands twice', `${provider.encode(REFUND, MARK).body}&metadata[op_id]=x`],
])('what is %s of ours is refused', (_what, body) => {
  expect(() => remark(body)).toThrow(RefusedError);
});

test('a mark that Stripe could not take is refused', () => {
  const { body } = provider.encode(REFUND, MARK);
  expect(() => remark(body, { operationId: 'a b', key: 'a' })).toThrow(RefusedError);
  expect(() => remark(body, { operationId: 'a', key: 'k'.repeat(256) })).toThrow(RefusedError);
});
