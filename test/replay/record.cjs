// Records the histories of the demo's scenarios, once a release: node test/replay/record.cjs [scenario …], after a build.
// A file that is there already is not written again: a history that no longer replays is a defect of the workflow, not of
// the file. Add the digests: cd test/replay && sha256sum histories/NAME-vVERSION.json >> histories.sha256, sorted. The endings that no scenario has are recorded by the workflow tests: SENDONCE_RECORD_HISTORIES=1.
require('../support/translate-typescript.cjs');
const { chmodSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Client, Connection } = require('@temporalio/client');
const { recordHistory } = require('../support/recorded-histories.ts');
const { startDemo } = require('../../dist/dev/demo.js');
const { runScenario } = require('../../dist/dev/scenarios/run-scenario.js');
const { SCENARIOS } = require('../../dist/dev/scenarios/scenarios.js');
const { Teller } = require('../../dist/dev/story/teller.js');

async function main(names) {
  const dataDir = mkdtempSync(join(tmpdir(), 'sendonce-record-'));
  // Postgres may run as another user, who has to get in.
  chmodSync(dataDir, 0o755);
  const onProgress = (line) => process.stderr.write(`${line}\n`);
  const demo = await startDemo({ dataDir, taskQueue: 'recording', onProgress });
  try {
    const connection = await Connection.connect({ address: demo.servers.temporal.address });
    const client = new Client({ connection });
    let orderId = 1042;
    for (const scenario of SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name))) {
      const teller = new Teller(process.stderr);
      const { result } = await runScenario(demo, { scenario, tool: 'guarded', orderId: String(++orderId), teller });
      if (!result.ok) throw new Error(`${scenario.name} did not keep its promises.`);
      const history = await client.workflow.getHandle(result.workflowId).fetchHistory();
      recordHistory({ name: scenario.name, history });
    }
    await connection.close();
  } finally {
    await demo.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
