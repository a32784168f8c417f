import Stripe from 'stripe';
import { LateAnswers } from '../../src/activities/late-answers';
import { type PerformEnd, perform } from '../../src/activities/perform';
import type { Database } from '../../src/ledger/database';
import { PostgresLedger } from '../../src/ledger/postgres-ledger';
import type { Recorded } from '../../src/operations/event';
import { fold } from '../../src/operations/fold';
import type { PerformSetup } from '../../src/operations/perform';
import { plannedGeneration } from '../../src/operations/plan';
import { milliseconds } from '../../src/operations/time';
import { type StripeRefundsOptions, stripeRefunds } from '../../src/providers/stripe';
import type { FakeStripe } from '../../src/testing/fake-stripe/fake-stripe';
import type { Fault } from '../../src/testing/fake-stripe/fault';
import { startFakeStripe } from '../../src/testing/fake-stripe/start-fake-stripe';
import type { OperationTool } from '../../src/tools/tool';
import { refundTool } from './refund-rig';
import { createTestDatabase, type TestDatabase } from './test-database';

export const REFUND_ID = 'refund-1043-li_2';
const REF = { tenant: 'shop', operationId: REFUND_ID };
const LIMITS = {
  joinWithin: milliseconds(50),
  joinPollEvery: milliseconds(10),
  notSubmittedAttempts: 3,
  leftBehindAfter: milliseconds(900_000),
};
const AMOUNT = 38_000;

/** Stripe's 500 that is stored with the key, and no refund. */
export const NOT_MADE: Fault = { kind: 'server-error', route: 'create', effect: false };

/** A refund of the shop at the fake Stripe, in a ledger of its own, and calls for it: what people look after. */
export class RefundStory {
  readonly stripe: FakeStripe;
  readonly #own: TestDatabase;
  readonly #payment: string;
  #calls = 0;

  private constructor(stripe: FakeStripe, own: TestDatabase) {
    this.stripe = stripe;
    this.#own = own;
    this.#payment = stripe.addPayment({ amount: 158_000, currency: 'twd' }).id;
  }

  static async begin(): Promise<RefundStory> {
    const [stripe, own] = await Promise.all([startFakeStripe(), createTestDatabase()]);
    return new RefundStory(stripe, own);
  }

  async end(): Promise<void> {
    await Promise.all([this.stripe.close(), this.#own.drop()]);
  }

  /** For a command in a process of its own. Temporal is not there: nothing here needs it. */
  get settings() {
    return { DATABASE_URL: this.#own.url, STRIPE_PORT: String(this.stripe.port), TEMPORAL_ADDRESS: '127.0.0.1:1' };
  }

  get database(): Database {
    return this.#own.database;
  }

  /** As a worker has it: it can ask this fake Stripe. */
  get tool(): OperationTool {
    return refundTool({ connect: this.#connect });
  }

  get ledger(): PostgresLedger {
    return new PostgresLedger(this.#own.database);
  }

  async events(): Promise<readonly Recorded[]> {
    return (await this.ledger.load(REF)).events;
  }

  /** Both clocks. */
  async advance(ms: number): Promise<void> {
    await this.#own.advanceClock(ms);
    this.stripe.advanceClock(ms);
  }

  /** The refund with our marks, made by somebody else. */
  refundByHand(): string {
    const metadata = { op_id: REFUND_ID, op_key: REFUND_ID };
    return this.stripe.refundByHand({ payment: this.#payment, amount: AMOUNT, metadata });
  }

  /** A new call, planned for what is the operation's generation now; what it was told. */
  async call(fault?: Fault): Promise<string> {
    if (fault) this.stripe.arm(fault);
    this.#calls += 1;
    const end = await this.#perform({
      operationId: REFUND_ID,
      purpose: 'send',
      generation: plannedGeneration(fold(await this.events())),
      call: { callId: `chat/1/${this.#calls}/0`, activityAttempt: 1, sessionId: 'chat', customer: 'customer-77' },
    });
    return codeOf(end);
  }

  /** What reconciliation does when it comes to the operation; what a call would be told then. */
  async reconcile(operationId: string): Promise<string> {
    const { events } = await this.ledger.load({ ...REF, operationId });
    this.#calls += 1;
    const call = { callId: `reconciliation/${this.#calls}`, activityAttempt: 1, sessionId: '', customer: '' };
    const generation = fold(events)?.current.number ?? 1;
    return codeOf(await this.#perform({ operationId, purpose: 'reconcile', generation, call }));
  }

  readonly #connect: StripeRefundsOptions['connect'] = (config) => {
    const { host, port } = this.stripe;
    return new Stripe('sk_test_1', { ...config, host, port, protocol: 'http' });
  };

  async #perform(setup: Pick<PerformSetup, 'operationId' | 'purpose' | 'generation' | 'call'>): Promise<PerformEnd> {
    const { ledger } = this;
    const provider = stripeRefunds({ connect: this.#connect });
    const request = { paymentIntent: this.#payment, amount: AMOUNT, currency: 'twd' };
    return perform(
      {
        ...{ ...setup, tool: 'refund_line_item', provider: provider.name, intent: '{}', keyPrefix: '', limits: LIMITS },
        ...{ contract: provider.contract, hasQuery: true },
      },
      {
        ...{ tenant: REF.tenant, ledger, provider, lateAnswers: new LateAnswers(ledger, () => undefined) },
        checkCancelled: () => undefined,
        prepare: async (key) => ({
          kind: 'prepared',
          intent: '{}',
          request: provider.encode(request, { operationId: setup.operationId, key }),
        }),
      },
    );
  }
}

function codeOf(end: PerformEnd): string {
  return end.kind === 'finish' ? end.reply.code : end.kind;
}
