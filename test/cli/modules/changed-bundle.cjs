// A worker that names its workflows itself: here the package's, changed. It has its own way of logging, too.
const { DefaultLogger, Runtime } = require('@temporalio/worker');

Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });

exports.worker = { tools: [], workerOptions: { workflowBundle: { codePath: process.env.TEST_BUNDLE } } };
