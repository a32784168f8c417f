// A worker in a process of its own, for tests that kill it: node run-worker.cjs '{ …KillableWorkerOptions }'. Prints a
// word a line: "ready" when it takes work, "thinking" or "sending" when it stands where it was told to stand.
require('./translate-typescript.cjs');
const { runKillableWorker } = require('./killable-worker.ts');

const say = (word) => process.stdout.write(`${word}\n`);

runKillableWorker(JSON.parse(process.argv[2]), say).catch((error) => {
  console.error(error);
  process.exit(1);
});
// Ends with whoever started it, as its stdin is then closed.
process.stdin.resume().once('end', () => process.exit());
