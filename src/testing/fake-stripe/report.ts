import { currentVersion, type Refund, type RefundStatus } from './refund';
import type { Send } from './send';
import type { Store } from './store';

/** One refund, made by the API or by hand, with its present status. A failed one was an effect, too. */
interface Effect {
  readonly id: string;
  readonly account: string;
  readonly amount: number;
  readonly currency: string;
  readonly paymentIntent: string;
  readonly status: RefundStatus;
  readonly metadata: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly byHand: boolean;
  readonly at: number;
}

/** The fake's own count, in the order things came. It reads what the fake did, and knows nothing of who asked for it. */
export interface Report {
  readonly effects: readonly Effect[];
  readonly sends: readonly Send[];
  /** Over all time, whatever the report's scope. */
  readonly totals: { readonly effects: number; readonly sends: number };
}

/** `run`: since the last `startRun`. A request held since before it is not in its sends, but its refund, if made now, is in its effects. */
export const REPORT_SCOPES = ['run', 'all'] as const;
export type ReportScope = (typeof REPORT_SCOPES)[number];

export function reportOf(store: Store, scope: ReportScope): Report {
  const refunds = store.refunds();
  const sends = store.sends();
  const from = scope === 'run' ? store.run : { refunds: 0, sends: 0 };
  return {
    effects: refunds.slice(from.refunds).map(effectOf),
    sends: sends.slice(from.sends),
    totals: { effects: refunds.length, sends: sends.length },
  };
}

function effectOf(refund: Refund): Effect {
  const { id, account, amount, currency, paymentIntent, metadata, key, byHand, createdAt } = refund;
  const { status } = currentVersion(refund);
  return { id, account, amount, currency, paymentIntent, status, metadata, key, byHand, at: createdAt };
}
