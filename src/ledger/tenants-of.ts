import type { Database } from './database';

/** The tenants that have an operation of this ID, by name: an ID is one within its tenant only. At most `limit`. */
export async function tenantsOf(database: Database, operationId: string, limit: number): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ tenant: string }>(
    `select tenant from ${database.schema}.operations where operation_id = $1 order by tenant limit $2`,
    [operationId, limit],
  );
  return rows.map(({ tenant }) => tenant);
}
