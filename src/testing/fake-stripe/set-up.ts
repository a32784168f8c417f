import { ControlInputError, InputShape } from './input-shape';
import { makeRefund } from './make-refund';
import { newId } from './new-id';
import type { Payment } from './payment';
import type { Store } from './store';

export interface PaymentOrder {
  /** `pi_…`, random by default. */
  readonly id?: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** `acct_…`, the key's own account by default. */
  readonly account?: string;
}

export interface HandRefundOrder {
  /** The ID of the payment intent or its charge. */
  readonly payment: string;
  /** Minor units; whatever is left by default. */
  readonly amount?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Takes an order of unsure origin. Throws `ControlInputError`. */
export function parsePaymentOrder(value: unknown): Required<PaymentOrder> {
  const shape = new InputShape('payment', value);
  const id = shape.text('id') ?? newId('pi');
  const amount = shape.integer('amount', 1) ?? shape.missing('amount');
  const currency = shape.text('currency') ?? shape.missing('currency');
  const account = shape.text('account') ?? '';
  shape.refuseOthers();
  if (!/^[a-z]{3}$/.test(currency)) shape.fail('currency must be three small letters');
  if (!/^pi_[\w-]+$/.test(id)) shape.fail('id must look like pi_1');
  return { id, amount, currency, account };
}

export function addPayment(store: Store, order: PaymentOrder): Payment {
  const { id, amount, currency, account } = parsePaymentOrder(order);
  const known = store.payment(id);
  if (known !== null) {
    if (known.amount === amount && known.currency === currency && known.account === account) return known;
    throw new ControlInputError(`Payment ${id} is there already, with another amount, currency or account.`);
  }
  const payment: Payment = { id, charge: newId('ch'), account, amount, currency, createdAt: store.now() };
  store.commit([{ kind: 'payment-added', payment }]);
  return payment;
}

/** Throws `RefusalError` where the API would refuse the refund too. */
export function refundByHand(store: Store, order: HandRefundOrder): string {
  const payment = store.payment(order.payment);
  if (payment === null) throw new ControlInputError(`There is no payment ${order.payment}.`);
  const { amount = null, metadata = {} } = order;
  if (amount !== null && !(Number.isSafeInteger(amount) && amount > 0)) {
    throw new ControlInputError('The amount must be a whole number of at least 1.');
  }
  const { refund, facts } = makeRefund(
    store,
    { payment, amount, metadata: { ...metadata }, reason: null },
    { status: 'succeeded', reason: null },
    { key: null, requestId: newId('req'), byHand: true },
  );
  store.commit(facts);
  return refund.id;
}
