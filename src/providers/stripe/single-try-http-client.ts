import { AsyncLocalStorage } from 'node:async_hooks';
import { describeError } from './describe-error';
import { singleTry, type TryLimits, type TryResult, timerMs } from './single-try';
import { StripeTryEndedError, TryAnswer } from './try-answer';

/** What has to leave, whatever the SDK made of it. */
export interface PlannedTry {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly body: string;
  /** Set on the request in place of the SDK's; null takes a header away. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly limits: TryLimits;
}

export interface MadeTry {
  readonly result: TryResult;
  /** The credentials that were on the request, so that receipts can leave them out. */
  readonly secrets: readonly string[];
}

interface Slot {
  readonly plan: PlannedTry;
  readonly finish: (made: MadeTry) => void;
  taken: boolean;
}

type SdkHeaders = Readonly<Record<string, string | number | string[]>>;

/**
 * The HTTP client given to the SDK: its only way out, open for exactly one try a call.
 *
 * The SDK authenticates and describes the request; text, key, account and version leave as planned, byte for byte. With
 * `maxNetworkRetries: 0` the SDK still sends again on ECONNRESET and EPIPE (stripe/stripe-node#2808): failures go back
 * to it under another code, and a second try is refused in any case. What happened is told by the try and not by the
 * SDK, which resolves for a 502 with JSON and throws a plain TypeError for `null` (S6, S9).
 */
export class SingleTryHttpClient {
  readonly #slots = new AsyncLocalStorage<Slot>();

  getClientName(): string {
    return 'sendonce';
  }

  /** Makes one SDK call and resolves with what became of its only try, in every case. */
  run(plan: PlannedTry, call: () => Promise<unknown>): Promise<MadeTry> {
    const within = timerMs(plan.limits);
    return new Promise((resolve) => {
      if (!(within > 0)) {
        const why = 'The deadline had passed before anything was begun.';
        return resolve({ result: { kind: 'not-written', why }, secrets: [] });
      }
      const slot: Slot = { plan, finish: resolve, taken: false };
      const bypassed = (why: string) => {
        if (slot.taken) return;
        slot.taken = true;
        // Nothing left by this way and nothing will. But a client that does not come by this way may have sent by
        // another one: no proof that nothing left.
        resolve({ result: { kind: 'lost', why, status: null, headers: {} }, secrets: [] });
      };
      // Where an authenticator fails, the SDK throws into the void and its promise stays open for ever.
      const timer = setTimeout(() => bypassed('The SDK did not reach its HTTP client in time.'), within);
      const sdk = this.#slots.run(slot, async () => call());
      sdk
        .then(
          () => bypassed('The SDK answered without its HTTP client.'),
          (error) => bypassed(`The SDK failed before it reached its HTTP client (${describeError(error)}).`),
        )
        .finally(() => clearTimeout(timer));
    });
  }

  /** Called by the SDK. Rejects and never throws: the SDK's promise would stay open. */
  async makeRequest(
    host: string,
    port: string | number,
    path: string,
    method: string,
    headers: SdkHeaders,
    _body: string | null,
    protocol: string,
  ): Promise<TryAnswer> {
    const slot = this.#slots.getStore();
    if (slot === undefined) {
      throw new StripeTryEndedError('This Stripe client belongs to stripeRefunds and sends nothing else.');
    }
    if (slot.taken) throw new StripeTryEndedError('An attempt is one try: nothing is sent a second time.');
    slot.taken = true;
    const { plan } = slot;
    const result = await makeOnly(plan, { host, port: Number(port), path, method, headers, protocol });
    slot.finish({ result, secrets: secretsOf(headers) });
    if (result.kind !== 'answered') throw new StripeTryEndedError(result.why);
    return new TryAnswer(result.status, result.headers, result.body);
  }
}

interface SdkRequest {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly method: string;
  readonly headers: SdkHeaders;
  readonly protocol: string;
}

async function makeOnly(plan: PlannedTry, { host, port, path, method, headers, protocol }: SdkRequest) {
  if (path !== plan.path || method !== plan.method || (protocol !== 'http' && protocol !== 'https')) {
    const why = `The SDK asked for ${method} ${path} by ${protocol}, not for ${plan.method} ${plan.path}; nothing was written.`;
    return { kind: 'not-written', why } as const;
  }
  const { body, limits } = plan;
  return singleTry({ protocol, host, port, path, method, headers: merge(headers, plan.headers), body }, limits);
}

function merge(sdk: SdkHeaders, planned: PlannedTry['headers']): Record<string, string | number | string[]> {
  const replaced = new Set(Object.keys(planned).map((name) => name.toLowerCase()));
  const kept = Object.entries(sdk).filter(([name]) => !replaced.has(name.toLowerCase()));
  const set = Object.entries(planned).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries([...kept, ...set]);
}

function secretsOf(headers: SdkHeaders): string[] {
  const authorization = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'authorization');
  return authorization.map(([, value]) => String(value).replace(/^\w+\s+/, '')).filter((secret) => secret !== '');
}
