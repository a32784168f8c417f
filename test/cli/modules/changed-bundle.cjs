// A worker that names its workflows itself: here the package's, changed.
exports.worker = { tools: [], workerOptions: { workflowBundle: { codePath: process.env.TEST_BUNDLE } } };
