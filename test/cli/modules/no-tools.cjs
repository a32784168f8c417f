// A worker without tools, in CommonJS: it talks.
const { scriptedModel } = require('sendonce/testing');

// As a module's database pool or server would, it keeps the process alive.
setInterval(() => undefined, 60_000);

exports.worker = { tools: [], model: scriptedModel(() => ({ text: 'Hello.' })), taskQueue: process.env.TASK_QUEUE };
