/** Something may be due: the ledger says what. */
export const HINT_SIGNAL = 'sendonce.hint';

/** Gives a `ReconciliationReport`. */
export const REPORT_QUERY = 'sendonce.report';

/** One a ledger and task queue. The last part leaves room for shards. */
export function reconciliationId({
  ledger,
  taskQueue,
}: {
  readonly ledger: string;
  readonly taskQueue: string;
}): string {
  return `reconciliation/${ledger}/${taskQueue}/0`;
}
