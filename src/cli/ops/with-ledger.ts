import { type Database, openDatabase } from '../../ledger/database';
import { checkSchema } from '../../ledger/migrate';
import { readDatabaseSettings } from '../../settings';

/** Runs `use` on the configured ledger, which needs no Temporal. Throws as `startWorker` does for settings and schema. */
export async function withLedger<T>(use: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(readDatabaseSettings());
  try {
    await checkSchema(database);
    return await use(database);
  } finally {
    await database.close();
  }
}
