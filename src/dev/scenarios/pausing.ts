import { PROVIDER_NAME } from '../../providers/stripe/stripe-contract';
import type { Demo } from '../demo';

// WIRING: `client.pauses.pause({ kind: 'provider', name: PROVIDER_NAME }, { by, note })` and `client.pauses.resume(…)`.

/** As a person would who is told that something is wrong at the provider. */
export async function pauseProvider({ database: { pool, schema } }: Demo, by: string): Promise<void> {
  await pool.query(
    `insert into ${schema}.pauses (kind, name, paused_by, note, created_at)
     values ('provider', $1, $2, 'The provider has an incident.', ${schema}.ledger_now()) on conflict do nothing`,
    [PROVIDER_NAME, by],
  );
}

export async function resumeProvider({ database: { pool, schema } }: Demo): Promise<void> {
  await pool.query(`delete from ${schema}.pauses where kind = 'provider' and name = $1`, [PROVIDER_NAME]);
  await pool.query(
    `update ${schema}.operations set due_at = ${schema}.ledger_now() where provider = $1 and due_at is not null`,
    [PROVIDER_NAME],
  );
}
