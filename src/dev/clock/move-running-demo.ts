import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { openDatabase } from '../../ledger/database';
import { readLedgerId } from '../../ledger/ledger-id';
import type { Duration } from '../../operations/time';
import { wakeReconciliation } from '../../wake-reconciliation';
import type { DemoOptions } from '../demo';
import { DEMO_TASK_QUEUE } from '../demo-task-queue';
import { runningPostgresUrl } from '../servers/running-postgres';
import { DEMO_DATABASE } from '../servers/start-postgres';
import { DemoNotRunningError } from './demo-not-running-error';
import { moveClocks } from './move-clocks';
import { ProviderClock } from './provider-clock';

export interface RunningDemo extends Pick<DemoOptions, 'dataDir'> {
  readonly ports: NonNullable<DemoOptions['ports']>;
}

/**
 * Moves the clocks of a demo that runs in another process, and gives how far they are ahead then. Whatever is missing is
 * noticed before anything is moved: DemoNotRunningError.
 */
export async function moveRunningDemo({ dataDir, ports }: RunningDemo, by: Duration): Promise<Duration> {
  const url = runningPostgresUrl(join(dataDir, 'postgres'), DEMO_DATABASE);
  if (url === null) throw new DemoNotRunningError(`No Postgres runs on ${dataDir}.`);
  const provider = new ProviderClock(ports.stripe);
  await provider.check();
  const address = `127.0.0.1:${ports.temporal}`;
  const connection = await Connection.connect({ address, connectTimeout: '5 seconds' }).catch((cause: unknown) => {
    throw new DemoNotRunningError(`Temporal does not answer at ${address}.`, { cause });
  });
  const database = openDatabase({ url });
  try {
    const woken = { ledger: await readLedgerId(database), taskQueue: DEMO_TASK_QUEUE };
    return await moveClocks(
      {
        database,
        moveProvider: (span) => provider.move(span),
        wakeReconciliation: () => wakeReconciliation(new Client({ connection }), woken),
      },
      by,
    );
  } finally {
    await database.close();
    await connection.close();
  }
}
