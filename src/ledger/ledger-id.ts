import type { Database } from './database';

/** The name of the ledger, made when its schema was. Every activity of a turn carries it. */
export async function readLedgerId({ pool, schema }: Database): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(`select ledger_id as id from ${schema}.identity`);
  const [row] = rows;
  if (!row) throw new Error(`Bug: the schema ${schema} has no identity.`);
  return row.id;
}
