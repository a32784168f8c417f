// `npm run faults`: runs the sources as they are, the workers too.
const { runProgram } = require('../support/run-program.cjs');
const { main } = require('./main.ts');

runProgram(main);
