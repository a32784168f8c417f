// For programs that npm starts from their sources as they are, built or not. Required first: from then on `require` takes
// TypeScript.
require('./translate-typescript.cjs');

/** `main` takes the arguments and gives the exit code. */
exports.runProgram = (main) => {
  main(process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
};
