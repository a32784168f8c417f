const { join } = require('node:path');

/** @type {import('@stryker-mutator/core').PartialStrykerOptions} */
module.exports = {
  mutate: ['src/operations/*.ts'],
  testRunner: 'operations',
  plugins: [join(__dirname, 'test-runner.cjs'), join(__dirname, 'progress-reporter.mjs')],
  coverageAnalysis: 'perTest',
  reporters: ['progress-lines'],
  // A file that is not there: Stryker 10 rewrites the compiler's options with an interface that TypeScript 7 has not got.
  tsconfigFile: 'test/mutation/no-tsconfig.json',
  disableTypeChecks: true,
  incremental: true,
  incrementalFile: '.cache/mutation/incremental.json',
  tempDirName: '.cache/mutation/sandbox',
  // What the tests of src/operations do not need is not copied.
  ignorePatterns: ['**', '!src/**', '!test/operations/**', '!test/support/**', '!package.json'],
  concurrency: 2,
  // A loop without an end is stopped by counting, long before this: what ends here was starved by other programs.
  timeoutMS: 60_000,
  logLevel: 'warn',
  // Fixtures are made while the tests load, so a third of the mutants is active from then on: that is no mistake here.
  warnings: { slow: false },
  allowConsoleColors: false,
  checkers: [],
};
