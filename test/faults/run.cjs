// `npm run faults`: runs the sources as they are, the workers too.
require('../support/translate-typescript.cjs');
const { main } = require('./main.ts');

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
