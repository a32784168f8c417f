import type { Contract } from '../../src/operations/contract';
import type { Evidence } from '../../src/operations/evidence';
import type { Outcome, Receipt } from '../../src/operations/outcome';
import type { StoredRequest } from '../../src/operations/request';
import { hours, minutes } from '../../src/operations/time';
import type { EffectMark, FindQuery, Provider, SendRequest } from '../../src/providers/provider';
import { Gate } from './gate';

export interface Payout {
  readonly to: string;
  readonly amount: number;
}

/** How one send is treated. */
export type Treatment =
  /** Paid, and answered. */
  | 'answer'
  /** Paid, and the answer is lost. */
  | 'lose-answer'
  /** Nothing is paid, and no answer comes. */
  | 'lose-request'
  /** Provably not written. */
  | 'turn-away'
  /** Refused, and the refusal is stored with the key. */
  | 'refuse';

interface Effect extends Payout {
  readonly externalId: string;
  readonly operationId: string;
  readonly key: string;
}

const CONTRACT: Contract = {
  key: { window: hours(24), margin: minutes(5), maxLength: 255, replays: 'every-answer' },
  absence: 'inconclusive',
  // Far above what a busy machine takes between two lines of a test.
  sendWithin: minutes(1),
  deliverWithin: minutes(1),
  answerWithin: minutes(1),
  acceptedFor: hours(24),
  escalateAfter: hours(24),
};

/**
 * A provider of payouts in memory that keeps its contract, misbehaves on command and counts for itself what it was
 * asked and what it did.
 */
export class CountingProvider implements Provider<Payout> {
  readonly name: string = 'testing.payouts';
  readonly contract: Contract;
  readonly sharedAccount = false;
  /** Everything that was paid. */
  readonly effects: Effect[] = [];
  /** The key of every request that arrived. */
  readonly sends: string[] = [];
  readonly #answers = new Map<string, Outcome>();
  readonly #treatments = new Map<string, Treatment[]>();
  readonly #gates = { before: new Map<string, Gate>(), after: new Map<string, Gate>() };

  constructor(contract: Partial<Contract> = {}) {
    this.contract = { ...CONTRACT, ...contract };
  }

  /** How the next sends for this payee are treated, in order; those after them are answered. */
  treat(to: string, ...treatments: Treatment[]): void {
    this.#treatments.set(to, treatments);
  }

  /** Stops the next send for this payee before its deadline is checked: between mark and write. */
  holdBeforeSend(to: string, gate = new Gate()): Gate {
    return this.#hold('before', to, gate);
  }

  /** Stops the next send for this payee when it was paid, before it is answered. */
  holdAnswer(to: string, gate = new Gate()): Gate {
    return this.#hold('after', to, gate);
  }

  encode(request: Payout, { operationId, key }: EffectMark): StoredRequest {
    return { account: '', path: 'POST /payouts', version: '1', body: JSON.stringify({ ...request, operationId, key }) };
  }

  async send({ request, operationId, key, deadline }: SendRequest): Promise<Outcome> {
    const payout: Payout = JSON.parse(request.body);
    const { to } = payout;
    await this.#pass('before', to);
    if (deadline.remainingMs() <= 0) return notSubmitted('The send deadline was over.');
    const treatment = this.#treatments.get(to)?.shift() ?? 'answer';
    if (treatment === 'turn-away') return notSubmitted('The connection was refused.');
    this.sends.push(key);
    if (treatment === 'lose-request') return unknown();
    const stored = this.#answers.get(key) ?? this.#execute({ ...payout, operationId, key }, treatment);
    await this.#pass('after', to);
    return treatment === 'lose-answer' ? unknown() : stored;
  }

  async find({ operationId }: FindQuery): Promise<Evidence> {
    const effects = this.effects.filter((effect) => effect.operationId === operationId);
    if (effects.length === 0) return { kind: 'absent' };
    return {
      kind: 'found',
      complete: true,
      effects: effects.map(({ externalId, key }) => ({ externalId, key, status: 'succeeded', mismatch: null })),
    };
  }

  #execute(payout: Payout & EffectMark, treatment: Treatment): Outcome {
    const answer = treatment === 'refuse' ? refused() : this.#pay(payout);
    this.#answers.set(payout.key, answer);
    return answer;
  }

  #pay({ to, amount, operationId, key }: Payout & EffectMark): Outcome {
    const externalId = `po_${this.effects.length + 1}`;
    this.effects.push({ to, amount, operationId, key, externalId });
    return { kind: 'confirmed', externalId, receipt: RECEIPT };
  }

  #hold(place: 'before' | 'after', to: string, gate: Gate): Gate {
    this.#gates[place].set(to, gate);
    return gate;
  }

  async #pass(place: 'before' | 'after', to: string): Promise<void> {
    const gate = this.#gates[place].get(to);
    this.#gates[place].delete(to);
    await gate?.pass();
  }
}

const RECEIPT: Receipt = { requestId: 'req_1', httpStatus: 200, detail: '' };

function notSubmitted(why: string): Outcome {
  return { kind: 'not-submitted', why, receipt: { requestId: null, httpStatus: null, detail: why } };
}

function unknown(): Outcome {
  return { kind: 'unknown', why: 'No answer came.', resend: 'allowed', receipt: RECEIPT };
}

function refused(): Outcome {
  const message = 'The payee takes no payouts.';
  return { kind: 'rejected', covers: 'all', code: 'payee_closed', message, externalId: null, receipt: RECEIPT };
}
