import { haveOpenEnds } from '../../conversations/open-ends';
import type { SessionRef } from '../../conversations/refs';
import type { Database } from '../../ledger/database';
import { until } from './until';

/** Waits until nothing is under way in these conversations and everything that became settled was told in them. */
export async function untilQuiet(database: Database, sessions: readonly SessionRef[]): Promise<void> {
  await until('everything to be told', async () => ((await haveOpenEnds(database, sessions)) ? null : true));
}
