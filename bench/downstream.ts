import type { Contract } from '../src/operations/contract';
import type { Outcome } from '../src/operations/outcome';
import type { StoredRequest } from '../src/operations/request';
import { hours, minutes, seconds } from '../src/operations/time';
import type { EffectMark, Provider, SendRequest } from '../src/providers/provider';

export interface Payout {
  readonly to: string;
  readonly amount: number;
}

/**
 * Pays at once, in memory, and counts. Both sides of a measure pay through one of these: what a real provider takes is
 * the same for both and would only hide the difference.
 */
export class Downstream {
  readonly #paid = new Map<string, number>();

  pay({ to }: Payout): string {
    const measure = measureOf(to);
    const count = (this.#paid.get(measure) ?? 0) + 1;
    this.#paid.set(measure, count);
    return `po_${to}`;
  }

  /** Payouts of one measure. */
  effects(measure: string): number {
    return this.#paid.get(measure) ?? 0;
  }
}

/** A payee of its own for each unit of a measure. */
export function payee(measure: string, unit: number): string {
  return `${measure}.${unit}`;
}

function measureOf(to: string): string {
  return to.slice(0, to.indexOf('.'));
}

const CONTRACT: Contract = {
  key: { window: hours(24), margin: minutes(30), maxLength: 255, replays: 'every-answer' },
  absence: 'inconclusive',
  sendWithin: seconds(10),
  deliverWithin: minutes(15),
  answerWithin: seconds(30),
  acceptedFor: hours(1),
  escalateAfter: hours(24),
};

/** The downstream as a guarded tool sees it. */
export function payouts(downstream: Downstream): Provider<Payout> {
  return {
    name: 'bench.payouts',
    contract: CONTRACT,
    sharedAccount: false,
    encode: (request: Payout, { operationId, key }: EffectMark): StoredRequest => ({
      account: '',
      path: 'POST /v1/payouts',
      version: '2026-10-28',
      body: JSON.stringify({ ...request, currency: 'eur', metadata: { op_id: operationId, op_key: key } }),
    }),
    send: async ({ request }: SendRequest): Promise<Outcome> => ({
      kind: 'confirmed',
      externalId: downstream.pay(JSON.parse(request.body)),
      receipt: { requestId: 'req_Vq1rGmD8Rr3cJt', httpStatus: 200, detail: '' },
    }),
  };
}
