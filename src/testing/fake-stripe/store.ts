import type { Fact, Lag, StoredAnswer } from './fact';
import type { Journal } from './journal';
import type { Payment } from './payment';
import { currentVersion, keepsAmount, type Refund } from './refund';
import type { Send } from './send';
import type { StripeEvent } from './stripe-event';

type CommitListener = (facts: readonly Fact[]) => void;

/** The fake's data: a fold over facts. Every change goes through `commit`, all or nothing, and in one tick. */
export class Store {
  readonly #baseClock: () => number;
  readonly #journal: Journal | null;
  readonly #listeners: CommitListener[] = [];
  readonly #payments = new Map<string, Payment>();
  readonly #charges = new Map<string, Payment>();
  readonly #refunds = new Map<string, Refund>();
  readonly #refundsOfPayment = new Map<string, string[]>();
  readonly #events: StripeEvent[] = [];
  readonly #answers = new Map<string, StoredAnswer>();
  readonly #sends = new Map<string, Send>();
  #clockOffset = 0;
  #lag: Lag = { list: 0, events: 0, retrieve: 0 };
  #run = { refunds: 0, sends: 0 };

  constructor(baseClock: () => number, journal: Journal | null, commits: readonly (readonly Fact[])[]) {
    this.#baseClock = baseClock;
    this.#journal = journal;
    for (const facts of commits) for (const fact of facts) this.#apply(fact);
  }

  commit(facts: readonly Fact[]): void {
    this.#journal?.append(facts);
    for (const fact of facts) this.#apply(fact);
    for (const listener of this.#listeners) listener(facts);
  }

  /** Called after every commit, and not for what was read back from the journal. */
  onCommit(listener: CommitListener): void {
    this.#listeners.push(listener);
  }

  now(): number {
    return this.#baseClock() + this.#clockOffset;
  }

  get lag(): Lag {
    return this.#lag;
  }

  /** By the ID of the payment intent or of its charge. */
  payment(id: string): Payment | null {
    return this.#payments.get(id) ?? this.#charges.get(id) ?? null;
  }

  refund(id: string): Refund | null {
    return this.#refunds.get(id) ?? null;
  }

  /** In the order they were made. */
  refunds(): Refund[] {
    return [...this.#refunds.values()];
  }

  /** What of the payment is refunded or on its way. */
  amountRefunded(payment: Payment): number {
    const ids = this.#refundsOfPayment.get(payment.id) ?? [];
    return ids
      .map((id) => this.#refund(id))
      .filter((refund) => keepsAmount(currentVersion(refund).status))
      .reduce((sum, refund) => sum + refund.amount, 0);
  }

  /** In the order they were made. */
  events(): readonly StripeEvent[] {
    return this.#events;
  }

  storedAnswer(account: string, key: string): StoredAnswer | null {
    return this.#answers.get(scope(account, key)) ?? null;
  }

  sends(): Send[] {
    return [...this.#sends.values()];
  }

  send(requestId: string): Send | null {
    return this.#sends.get(requestId) ?? null;
  }

  /** How many refunds and sends there were when the present run started. */
  get run(): { readonly refunds: number; readonly sends: number } {
    return this.#run;
  }

  #apply(fact: Fact): void {
    switch (fact.kind) {
      case 'payment-added':
        this.#payments.set(fact.payment.id, fact.payment);
        this.#charges.set(fact.payment.charge, fact.payment);
        return;
      case 'refund-made': {
        const { id, paymentIntent } = fact.refund;
        this.#refunds.set(id, fact.refund);
        this.#refundsOfPayment.set(paymentIntent, [...(this.#refundsOfPayment.get(paymentIntent) ?? []), id]);
        return;
      }
      case 'refund-changed': {
        const refund = this.#refund(fact.id);
        this.#refunds.set(fact.id, { ...refund, versions: [...refund.versions, fact.version] });
        return;
      }
      case 'event-made':
        this.#events.push(fact.event);
        return;
      case 'answer-stored':
        this.#answers.set(scope(fact.stored.account, fact.stored.key), fact.stored);
        return;
      case 'send-arrived':
        this.#sends.set(fact.send.requestId, fact.send);
        return;
      case 'send-decided': {
        const { kind: _, ...decision } = fact;
        this.#sends.set(fact.requestId, { ...this.#send(fact.requestId), ...decision });
        return;
      }
      case 'answer-left':
        this.#sends.set(fact.requestId, { ...this.#send(fact.requestId), answerLeft: true });
        return;
      case 'run-started':
        this.#run = { refunds: this.#refunds.size, sends: this.#sends.size };
        return;
      case 'clock-advanced':
        this.#clockOffset += fact.ms;
        return;
      case 'lag-set':
        this.#lag = fact.lag;
        return;
      default:
        throw new Error(`Bug: the fake Stripe knows no fact ${JSON.stringify(fact satisfies never)}.`);
    }
  }

  #refund(id: string): Refund {
    const refund = this.#refunds.get(id);
    if (refund === undefined) throw new Error(`Bug: there is no refund ${id}.`);
    return refund;
  }

  #send(requestId: string): Send {
    const send = this.#sends.get(requestId);
    if (send === undefined) throw new Error(`Bug: there is no send ${requestId}.`);
    return send;
  }
}

/** Two different pairs never give one text. */
function scope(account: string, key: string): string {
  return JSON.stringify([account, key]);
}
