import { onStopSignal } from '../../src/dev/servers/stop-signal';
import { type JestRun, testNeeds } from './test-needs';
import type { TestServers } from './test-servers';

declare global {
  /** From the global setup to the global teardown, which run in the same process. */
  var sendonceTestServers: TestServers | undefined;
}

// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default async function globalSetup(run: JestRun): Promise<void> {
  const needs = testNeeds(run);
  if (!Object.values(needs).some(Boolean)) return;
  // Loaded only now: a run of unit tests alone does not wait for the clients of Postgres and Temporal.
  // `require`, since TypeScript wants `import()` to name the file as `.js`, which jest does not find.
  const testServers: typeof import('./test-servers.js') = require('./test-servers');
  const servers = await testServers.startTestServers(needs);
  const forget = onStopSignal(() => servers.stop());
  globalThis.sendonceTestServers = {
    stop: async () => {
      await servers.stop();
      forget();
    },
  };
}
