// A worker in a process of its own that stops at an edge: node run-fault-worker.cjs '{ …FaultWorkerOptions }'. A line of
// JSON each: what it says on stdout, what it is ordered on stdin.
require('../support/translate-typescript.cjs');
const { createInterface } = require('node:readline');
const { runFaultWorker } = require('./fault-worker.ts');

const say = (word) => process.stdout.write(`${JSON.stringify(word)}\n`);
const orders = createInterface({ input: process.stdin });

runFaultWorker(JSON.parse(process.argv[2]), say, orders).catch((error) => {
  console.error(error);
  process.exit(1);
});
// Ends with whoever started it, as its stdin is then closed.
orders.once('close', () => process.exit());
