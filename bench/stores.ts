import type { Database } from '../src/ledger/database';
import { migrate } from '../src/ledger/migrate';
import { PostgresLedger } from '../src/ledger/postgres-ledger';
import { BareRows } from './bare-rows';

/** The ledger and the bare rows: one pool, one server, the same settings of both. */
export interface Stores {
  readonly database: Database;
  readonly ledger: PostgresLedger;
  readonly bare: BareRows;
  /** Confirmed operations of one measure. */
  confirmed(measure: string): Promise<number>;
}

export async function openStores(database: Database): Promise<Stores> {
  await migrate(database);
  const bare = new BareRows(database.pool);
  await bare.create();
  return {
    database,
    ledger: new PostgresLedger(database),
    bare,
    confirmed: async (measure) => {
      const { rows } = await database.pool.query<{ count: number }>(
        `select count(*)::int from ${database.schema}.operations
         where starts_with(operation_id, $1 || '.') and state = 'confirmed'`,
        [measure],
      );
      return rows[0]?.count ?? 0;
    },
  };
}
