// A worker without tools, in CommonJS: it talks.
const { scriptedModel } = require('sendonce/testing');

exports.worker = { tools: [], model: scriptedModel(() => ({ text: 'Hello.' })), taskQueue: process.env.TASK_QUEUE };
