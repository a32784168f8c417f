// A process of its own that starts one server and waits, for tests that kill such a process. Runs the sources as they
// are, translated like jest does: node run-server.cjs postgres|temporal '{ …options }'. Prints one line of JSON:
// { "server": … } or { "error": { "code", "message" } }; later, at a signal, "stopping".
require('./translate-typescript.cjs');
const { join } = require('node:path');

const servers = join(__dirname, '../../src/dev/servers');
const { startPostgres } = require(join(servers, 'start-postgres.ts'));
const { startTemporal } = require(join(servers, 'start-temporal.ts'));
const { onStopSignal } = require(join(servers, 'stop-signal.ts'));

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function main([kind, options]) {
  const start = kind === 'postgres' ? startPostgres : startTemporal;
  const server = await start(JSON.parse(options));
  onStopSignal(async () => {
    say('stopping');
    await server.stop();
  });
  say({ server });
  // Ends with whoever started it, as its stdin is then closed.
  process.stdin.resume().once('end', () => server.stop().then(() => process.exit()));
}

main(process.argv.slice(2)).catch((error) => {
  say({ error: { code: error.code, message: error.message } });
  process.exit(1);
});
