import { type Contract, checkContract, type KeyWindow } from '../../operations/contract';
import { type Duration, days, hours, minutes, seconds } from '../../operations/time';

export const PROVIDER_NAME = 'stripe.refunds';

/** Stripe forgets keys of 24 hours and more; an older key makes a new request (docs/providers/stripe.md). */
const KEY_WINDOW = hours(24);

/**
 * Stripe's promises, as documented (docs/providers/stripe.md).
 *
 * - `replays: 'every-answer'`: status and body are stored once the endpoint began executing, errors included.
 * - `absence: 'inconclusive'`: Stripe nowhere promises when a refund shows in a list, so an empty list never proves
 *   that a request was not accepted. It lets the same key be sent again, no more.
 * - `deliverWithin` 15 min: how long a socket sends unacknowledged bytes again (Linux, `tcp_retries2`: 924 s at most);
 *   nothing is known to hold them longer. The margin of 30 min covers that, the send deadline and the difference of
 *   clocks.
 * - `acceptedFor` 35 days: a pending refund may wait for a balance, and banks return refunds for up to 30 days.
 * - `escalateAfter` 24 h: only read where no key window sets the end. By then the key has ended, and so has everything
 *   automatic but queries and webhooks; Stripe's own repair of a stored 500 has had a working day.
 */
const STRIPE_CONTRACT = {
  key: { window: KEY_WINDOW, margin: minutes(30), maxLength: 255, replays: 'every-answer' },
  absence: 'inconclusive',
  sendWithin: seconds(10),
  deliverWithin: minutes(15),
  answerWithin: seconds(30),
  acceptedFor: days(35),
  escalateAfter: hours(24),
} as const satisfies Contract;

/** What tests and demos may shorten. Production wants none of it. */
export interface StripeContractOverrides
  extends Partial<Pick<Contract, 'sendWithin' | 'deliverWithin' | 'answerWithin' | 'acceptedFor' | 'escalateAfter'>> {
  /** The key's window, at most Stripe's 24 hours, and its margin. */
  readonly key?: Partial<Pick<KeyWindow, 'window' | 'margin'>>;
}

/** Throws RangeError for a contract that contradicts itself or promises more than Stripe does. */
export function stripeContract(overrides: StripeContractOverrides = {}): Contract {
  const { key, ...durations } = overrides;
  const contract: Contract = { ...STRIPE_CONTRACT, ...durations, key: { ...STRIPE_CONTRACT.key, ...key } };
  checkContract(PROVIDER_NAME, contract);
  if (windowOf(contract) > KEY_WINDOW) {
    throw new RangeError(`Provider ${PROVIDER_NAME}: Stripe keeps a key for 24 hours, a longer window is not allowed.`);
  }
  return contract;
}

/**
 * How long a send waits for its answer before it closes the socket. The engine's own time-out (`answerWithin`) is much
 * shorter, and later answers are evidence; but a silent socket must not live for ever. Bytes arrive within
 * `deliverWithin` or never, so what has not been answered `answerWithin` after that will not be.
 */
export function answerBoundMs({ deliverWithin, answerWithin }: Contract): number {
  return deliverWithin + answerWithin;
}

function windowOf({ key }: Contract): Duration {
  return key === 'none' ? (0 as Duration) : key.window;
}
