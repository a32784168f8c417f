// A thread of the model check. It runs the sources as they are.
require('../support/translate-typescript.cjs');
require('./worker.ts');
