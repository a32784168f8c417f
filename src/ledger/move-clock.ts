import { type Duration, milliseconds } from '../operations/time';
import type { Database } from './database';
import { epochMs } from './epoch-ms';

/**
 * Moves the ledger's clock forward, and gives how far it is ahead of its server's then. For tests and demos: it makes
 * bounds, windows and looks due, and moves neither Temporal's timers nor anybody else's clock. There is no way back, as
 * no bound that was over may be open again.
 */
export async function moveClock({ pool, schema }: Database, by: Duration): Promise<Duration> {
  const { rows } = await pool.query<{ ahead: number }>(
    `update ${schema}.clock set ahead = ahead + $1::float8 * interval '1 millisecond' returning ${AHEAD_MS} as ahead`,
    [by],
  );
  return aheadIn(rows);
}

/** How far the ledger's clock is ahead of its server's: zero outside tests and demos. */
export async function readClockAhead({ pool, schema }: Database): Promise<Duration> {
  const { rows } = await pool.query<{ ahead: number }>(`select ${AHEAD_MS} as ahead from ${schema}.clock`);
  return aheadIn(rows);
}

const AHEAD_MS = epochMs('ahead');

function aheadIn([row]: readonly { readonly ahead: number }[]): Duration {
  if (!row) throw new Error('Bug: the clock is one row always.');
  return milliseconds(row.ahead);
}
