// `npm run bench`: what is measured is what is in src, built or not.
const { runProgram } = require('../test/support/run-program.cjs');
const { main } = require('./main.ts');

runProgram(main);
