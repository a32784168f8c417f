import type { Instant } from '../operations/time';
import type { Database } from './database';
import { epochMs } from './epoch-ms';
import type { OperationRef } from './ledger';
import type { FoldedOperation, OperationDetail } from './read-operation';

/** What reconciliation has before it. Of the operation's row alone: looks that tell nothing new are no events. */
export interface Looks {
  /** When it looks next; in the past where that is due. Null where nothing is left to do. */
  readonly dueAt: Instant | null;
  /** Its looks since something new was recorded. */
  readonly checks: number;
  /** The last one; null where there was none. */
  readonly checkedAt: Instant | null;
}

/** Columns of the table `operations`, as `Looks`. */
export const LOOKS = `${epochMs('due_at')} as "dueAt", checks, ${epochMs('checked_at')} as "checkedAt"`;

/** The operation with what reconciliation has before it now. */
export async function withLooks(database: Database, { events, ...summary }: FoldedOperation): Promise<OperationDetail> {
  const { tenant, operationId } = summary;
  const looks = await readLooks(database, { tenant, operationId });
  if (looks === null) throw new Error(`Bug: ${operationId} has events and no row.`);
  return { ...summary, ...looks, events };
}

async function readLooks({ schema, pool }: Database, { tenant, operationId }: OperationRef): Promise<Looks | null> {
  const { rows } = await pool.query<Looks>(
    `select ${LOOKS} from ${schema}.operations where tenant = $1 and operation_id = $2`,
    [tenant, operationId],
  );
  return rows[0] ?? null;
}
