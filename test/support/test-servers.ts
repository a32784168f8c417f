import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../src/dev/servers/start-postgres';
import { startTemporal } from '../../src/dev/servers/start-temporal';
import { findTimeSkippingServer } from '../../src/dev/servers/temporal-programs';
import { makeThrowawayFolder } from '../../src/dev/servers/throwaway-folder';
import type { TestNeeds } from './test-needs';

/** The servers of one test run. */
export interface TestServers {
  stop(): Promise<void>;
}

/**
 * Starts what the tests need and tells them by environment variables: SENDONCE_TEST_POSTGRES_URL,
 * SENDONCE_TEST_TEMPORAL_ADDRESS, SENDONCE_TEST_TIME_SKIPPING_SERVER (a path). Where one is set already, that server is
 * used and none is started.
 *
 * @public Loaded by global-setup.ts at run time, which knip does not see.
 */
export async function startTestServers(needs: TestNeeds): Promise<TestServers> {
  // Tests never touch a server that somebody has set up for other work.
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('TEMPORAL_') && name !== 'TEMPORAL_CLI_PATH') delete process.env[name];
  }
  const folder = makeThrowawayFolder(tmpdir(), 'sendonce-test-');
  const onProgress = (line: string) => process.stderr.write(`tests: ${line}\n`);
  const { SENDONCE_TEST_POSTGRES_URL: postgresUrl, SENDONCE_TEST_TEMPORAL_ADDRESS: temporalAddress } = process.env;
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(stops.map((each) => each()));
    rmSync(folder, { recursive: true, force: true });
  };
  const postgres = async () => {
    if (!needs.postgres || postgresUrl) return;
    const server = await startPostgres({ dataDir: join(folder, 'postgres'), onProgress });
    stops.push(server.stop);
    Object.assign(process.env, { SENDONCE_TEST_POSTGRES_URL: server.url });
  };
  const temporal = async () => {
    if (!needs.temporal || temporalAddress) return;
    const server = await startTemporal({
      dataDir: join(folder, 'temporal'),
      fast: true,
      searchAttributes: true,
      onProgress,
    });
    stops.push(server.stop);
    Object.assign(process.env, { SENDONCE_TEST_TEMPORAL_ADDRESS: server.address });
  };
  const timeSkipping = async () => {
    if (!needs.timeSkipping) return;
    Object.assign(process.env, { SENDONCE_TEST_TIME_SKIPPING_SERVER: await findTimeSkippingServer({ onProgress }) });
  };
  const started = await Promise.allSettled([postgres(), temporal(), timeSkipping()]);
  const failed = started.find((each) => each.status === 'rejected');
  if (failed === undefined) return { stop };
  await stop();
  throw failed.reason;
}
