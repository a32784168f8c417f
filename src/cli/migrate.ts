import { DEFAULT_SCHEMA, openDatabase } from '../ledger/database';
import { migrate } from '../ledger/migrate';
import { readDatabaseSettings } from '../settings';
import { print } from './print';

/** `sendonce migrate`: says what was applied. */
export async function migrateSchema({ schema }: { readonly schema?: string }): Promise<void> {
  const settings = { ...readDatabaseSettings(), ...(schema === undefined ? {} : { schema }) };
  const database = openDatabase(settings);
  try {
    const applied = await migrate(database);
    const name = settings.schema ?? DEFAULT_SCHEMA;
    print(
      applied.length === 0
        ? `The schema ${name} is up to date.`
        : `The schema ${name} is up to date; applied ${applied.join(', ')}.`,
    );
  } finally {
    await database.close();
  }
}
