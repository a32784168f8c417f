// `npm run model`: what is checked is what is in src, built or not.
const { runProgram } = require('../support/run-program.cjs');
const { main } = require('./main.ts');

runProgram(main);
