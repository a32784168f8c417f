// One task in a thread of its own: a planted mistake is seen by nobody else.
require('../support/translate-typescript.cjs');
const { parentPort, workerData } = require('node:worker_threads');
const { runTask } = require('./run-task.ts');

parentPort.postMessage(runTask(workerData));
