import type { Outcome } from '../../operations/outcome';
import type { EffectMark, Provider, SendRequest, WebhookReader } from '../provider';
import { expectedRefund } from './expected-refund';
import { findRefund } from './find-refund';
import { refundOutcome } from './refund-outcome';
import { encodeRefund, type StripeRefundRequest } from './refund-request';
import { refundWebhook } from './refund-webhook';
import { remarkRefund } from './remark-refund';
import { type StripeClient, type StripeClientConfig, StripeConnection } from './stripe-client';
import { answerBoundMs, PROVIDER_NAME, type StripeContractOverrides, stripeContract } from './stripe-contract';

/** What `stripeRefunds` takes. */
export interface StripeRefundsOptions {
  /** Makes the SDK's client: `(config) => new Stripe(secretKey, config)`. Called once, at once. */
  readonly connect: (config: StripeClientConfig) => StripeClient;
  /** The connected account to act for (`acct_…`, sent as `Stripe-Account`). Without it: the secret key's own. */
  readonly account?: string;
  /** Whether tenants share the account: their keys then begin with `tenant~`. Default: no. */
  readonly sharedAccount?: boolean;
  /** The API version for new requests. Default: the one the SDK is pinned to. Stored requests keep theirs. */
  readonly apiVersion?: string;
  /**
   * The signing secret of the webhook endpoint (`whsec_…`), or several: while one replaces another, and of several
   * endpoints. Without it, the webhook door takes nothing for this provider.
   */
  readonly webhookSecret?: string | readonly string[];
  /**
   * Which webhooks count: those of live mode or of test mode. Without it both do, so say it where one endpoint gets both,
   * as endpoints for connected accounts do.
   */
  readonly livemode?: boolean;
  /** Shorter times for tests and demos. */
  readonly contract?: StripeContractOverrides;
}

/** A refund object has some 2 kB; an answer of more than this is not one. */
const MAX_ANSWER_BYTES = 1_000_000;

/**
 * Refunds through Stripe's API v1, with the operation's ID as idempotency key and in the refund's metadata (`op_id`).
 *
 * Needs the package `stripe` (version 23) and a secret or restricted key that may write refunds and read refunds and
 * events. Connects directly: proxies are not used; further certificate authorities come by NODE_EXTRA_CA_CERTS.
 *
 * Without `account` the stored request belongs to whichever account the secret key is of, so never change to the key of
 * another account or mode while operations are open; with it, only the mode can be mistaken. Throws StripeClientUnsuitableError, RangeError (contract) or TypeError (options) when it is made.
 */
export function stripeRefunds(options: StripeRefundsOptions): Provider<StripeRefundRequest> {
  const { account = '', sharedAccount = false } = options;
  if (account !== '' && !/^acct_\w+$/.test(account))
    throw new TypeError(`No Stripe account: ${JSON.stringify(account)}.`);
  const contract = stripeContract(options.contract);
  const connection = new StripeConnection(options.connect);
  const version = options.apiVersion ?? connection.version;
  if (!/^[\w.-]+$/.test(version)) throw new TypeError(`No Stripe API version: ${JSON.stringify(version)}.`);
  const webhook = webhookOf(connection, options);

  return {
    name: PROVIDER_NAME,
    contract,
    sharedAccount,

    encode: (request: StripeRefundRequest, mark: EffectMark) => encodeRefund(request, mark, { account, version }),

    remark: remarkRefund,

    async send({ request, operationId, key, deadline }: SendRequest): Promise<Outcome> {
      const expected = expectedRefund(request);
      if (expected === null || expected.operationId !== operationId || expected.key !== key) {
        const why = `Bug: the stored request is not the refund of ${operationId} under ${key}; nothing was sent.`;
        return { kind: 'not-submitted', why, receipt: { requestId: null, httpStatus: null, detail: why } };
      }
      const made = await connection.post(request, key, {
        remainingMs: () => deadline.remainingMs(),
        answerBoundMs: () => answerBoundMs(contract),
        holdsProcessMs: contract.answerWithin,
        maxAnswerBytes: MAX_ANSWER_BYTES,
      });
      return refundOutcome(made, expected);
    },

    find: (query) => findRefund(query, connection, { sharedAccount }),

    ...(webhook && { webhook }),
  };
}

function webhookOf(
  connection: StripeConnection,
  { webhookSecret, livemode }: Pick<StripeRefundsOptions, 'webhookSecret' | 'livemode'>,
): WebhookReader | null {
  if (webhookSecret === undefined) return null;
  const secrets = typeof webhookSecret === 'string' ? [webhookSecret] : webhookSecret;
  // Not shown: what stands in a secret's place is often another one.
  if (secrets.length === 0 || !secrets.every((secret) => /^whsec_\S+$/.test(secret))) {
    throw new TypeError('No signing secret of a Stripe webhook endpoint: it begins with whsec_ and has no blanks.');
  }
  connection.checkWebhooks();
  return refundWebhook(connection, { secrets, livemode: livemode ?? null });
}
