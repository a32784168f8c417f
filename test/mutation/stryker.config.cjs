const { join } = require('node:path');

/** @type {import('@stryker-mutator/core').PartialStrykerOptions} */
module.exports = {
  mutate: ['src/operations/*.ts'],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner', join(__dirname, 'progress-reporter.mjs')],
  jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  reporters: ['progress-lines'],
  // A file that is not there: Stryker 10 rewrites the compiler's options with an interface that TypeScript 7 has not got.
  tsconfigFile: 'test/mutation/no-tsconfig.json',
  disableTypeChecks: true,
  incremental: true,
  incrementalFile: '.cache/mutation/incremental.json',
  tempDirName: '.cache/mutation/sandbox',
  // What the tests of src/operations do not need is not copied.
  ignorePatterns: [
    '**',
    '!src/**',
    '!test/operations/**',
    '!test/support/**',
    '!test/mutation/**',
    '!package.json',
    '!jest.config.cjs',
  ],
  concurrency: 2,
  // A mutant that turns a loop round is stopped by counting, long before this.
  timeoutMS: 10_000,
  logLevel: 'warn',
  allowConsoleColors: false,
  checkers: [],
};
