import type { StoredRequest } from '../../operations/request';
import { decodeForm } from './form';
import type { TryLimits } from './single-try';
import { type MadeTry, SingleTryHttpClient } from './single-try-http-client';

/**
 * What `connect` must pass on to `new Stripe(key, config)`. Add to it what you like, but leave these as they are. An
 * `authenticator` of yours must not reject: the SDK lets the rejection go unhandled, which ends the process.
 */
export interface StripeClientConfig {
  readonly httpClient: SingleTryHttpClient;
  readonly maxNetworkRetries: 0;
  readonly telemetry: false;
}

/** What is used of the SDK's client; `new Stripe(…)` of the package `stripe`, version 23, is one. */
export interface StripeClient {
  rawRequest(
    method: string,
    path: string,
    params?: Record<string, string>,
    options?: { apiVersion?: string; stripeAccount?: string; idempotencyKey?: string; maxNetworkRetries?: number },
  ): Promise<unknown>;
  getApiField(name: 'version' | 'httpClient' | 'maxNetworkRetries' | 'stripeAccount' | 'stripeContext'): unknown;
  getTelemetryEnabled(): boolean;
  /** Only used for webhooks. */
  readonly webhooks?: {
    readonly signature: {
      verifyHeader(payload: string, header: string, secret: string, toleranceS: number): boolean;
    } | null;
  };
}

/**
 * The client that `connect` returned cannot be trusted with money: thrown when the provider is made. It says nothing
 * about any operation, since nothing was sent.
 */
export class StripeClientUnsuitableError extends Error {
  readonly code = 'SENDONCE_STRIPE_CLIENT_UNSUITABLE';
  override readonly name = 'StripeClientUnsuitableError';
}

/** The SDK, with the one way out that sends one try a call. */
export class StripeConnection {
  /** The API version that the SDK was made for, or that `connect` chose. */
  readonly version: string;
  readonly #http = new SingleTryHttpClient();
  readonly #client: StripeClient;

  /** Throws StripeClientUnsuitableError where the client does not go by the config it was given. */
  constructor(connect: (config: StripeClientConfig) => StripeClient) {
    this.#client = connect({ httpClient: this.#http, maxNetworkRetries: 0, telemetry: false });
    checkClient(this.#client, this.#http);
    this.version = String(this.#client.getApiField('version'));
  }

  /** Throws StripeClientUnsuitableError where the client cannot check a webhook's signature. */
  checkWebhooks(): void {
    if (typeof this.#client.webhooks?.signature?.verifyHeader !== 'function') {
      throw unsuitable('it cannot check the signatures of webhooks');
    }
  }

  /** Whether the secret signed this text. It says nothing of when. */
  isSignedBy(body: string, header: string, secret: string): boolean {
    try {
      // Zero: without a look at the time.
      return this.#client.webhooks?.signature?.verifyHeader(body, header, secret, 0) === true;
    } catch {
      return false;
    }
  }

  /** Sends the stored text under the key, in one try. */
  post({ account, path, version, body }: StoredRequest, key: string, limits: TryLimits): Promise<MadeTry> {
    const resource = path.replace(/^POST /, '');
    const headers = { 'Idempotency-Key': key, ...target(account, version), 'Content-Type': FORM };
    return this.#http.run({ method: 'POST', path: resource, body, headers, limits }, () =>
      // The SDK writes the same text from these, which matters to an authenticator that signs it; ours is what leaves.
      this.#client.rawRequest('POST', resource, Object.fromEntries(decodeForm(body) ?? []), {
        ...options(account, version),
        idempotencyKey: key,
      }),
    );
  }

  /** Reads, in one try. */
  get(
    path: string,
    { account, version }: Pick<StoredRequest, 'account' | 'version'>,
    limits: TryLimits,
  ): Promise<MadeTry> {
    const headers = { 'Idempotency-Key': null, ...target(account, version) };
    return this.#http.run({ method: 'GET', path, body: '', headers, limits }, () =>
      this.#client.rawRequest('GET', path, undefined, options(account, version)),
    );
  }
}

const FORM = 'application/x-www-form-urlencoded';

function target(account: string, version: string): Record<string, string | null> {
  return { 'Stripe-Account': account === '' ? null : account, 'Stripe-Context': null, 'Stripe-Version': version };
}

function options(account: string, version: string) {
  return { apiVersion: version, maxNetworkRetries: 0, ...(account !== '' && { stripeAccount: account }) };
}

function checkClient(client: StripeClient, http: SingleTryHttpClient): void {
  if (
    [client?.rawRequest, client?.getApiField, client?.getTelemetryEnabled].some(
      (method) => typeof method !== 'function',
    )
  ) {
    throw unsuitable('it is no client of the package stripe, or one of a version that cannot be checked');
  }
  if (client.getApiField('httpClient') !== http) {
    throw unsuitable('it was made without the httpClient of the config, so it may send one attempt more than once');
  }
  if (client.getApiField('maxNetworkRetries') !== 0) {
    throw unsuitable('it retries by itself (maxNetworkRetries), which the ledger would not know of');
  }
  if (client.getTelemetryEnabled() !== false) {
    throw unsuitable('it has telemetry on, which puts earlier request IDs on later requests');
  }
  for (const name of ['stripeAccount', 'stripeContext'] as const) {
    if (client.getApiField(name)) {
      throw unsuitable(
        `it carries a ${name}: give \`account\` to stripeRefunds, so that it is stored with the request`,
      );
    }
  }
  if (!/^[\w.-]+$/.test(String(client.getApiField('version')))) throw unsuitable('it has no API version');
}

function unsuitable(why: string): StripeClientUnsuitableError {
  return new StripeClientUnsuitableError(
    `The Stripe client cannot be used for refunds: ${why}. Write connect: (config) => new Stripe(key, config).`,
  );
}
