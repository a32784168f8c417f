import type { RefundStatus, RefundVersion } from './refund';

export interface NextRefunds {
  readonly status: RefundStatus;
  /** How many refunds it holds for, 1 by default. */
  readonly count?: number;
  /** `failure_reason` or `pending_reason`. */
  readonly reason?: string;
}

/** What the next refunds of the API will be; `succeeded` once the plans are used up. Not kept in the journal. */
export class PlannedStatuses {
  readonly #planned: Pick<RefundVersion, 'status' | 'reason'>[] = [];

  plan(next: NextRefunds): void {
    for (let n = 0; n < (next.count ?? 1); n++) {
      this.#planned.push({ status: next.status, reason: next.reason ?? null });
    }
  }

  /** To be used only for a refund that is really made. */
  peek(): Pick<RefundVersion, 'status' | 'reason'> {
    return this.#planned[0] ?? { status: 'succeeded', reason: null };
  }

  use(): void {
    this.#planned.shift();
  }
}
