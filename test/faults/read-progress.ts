import type { Database } from '../../src/ledger/database';

/** How far the operations of a cell are. */
export interface Progress {
  /** IDs of the operations that have come to their end. */
  readonly settled: readonly string[];
  /** Turns that run. */
  readonly turns: number;
  readonly untold: number;
  /** Operations that somebody will still look at. */
  readonly due: number;
}

export async function readProgress({ pool, schema }: Database): Promise<Progress> {
  const { rows } = await pool.query<Progress>(`
    select coalesce((
      select json_agg(operation_id) from ${schema}.operations
      where state in ('confirmed', 'rejected', 'dropped', 'escalated')
    ), '[]') as settled,
    (select count(*)::int from ${schema}.turns where outcome is null) as turns,
    (select count(*)::int from ${schema}.outbox) as untold,
    (select count(*)::int from ${schema}.operations where due_at is not null and state <> 'escalated') as due`);
  const [progress] = rows;
  if (!progress) throw new Error('Bug: the statement gives one row always.');
  return progress;
}

/** Messages about the operation that wait to be told. */
export async function countUntold({ pool, schema }: Database, operationId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from ${schema}.outbox where operation_id = $1`,
    [operationId],
  );
  return rows[0]?.count ?? 0;
}
