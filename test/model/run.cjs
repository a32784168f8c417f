// `npm run model`: runs the sources as they are, so that what is checked is what is in src, built or not.
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
