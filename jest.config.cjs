// Loaded here too: when no test is found jest loads no reporter, and there would be no last line.
require('./test/support/summary-reporter.cjs');

/** Packages that ship ES modules only; jest runs CommonJS, so swc translates them. */
const esmOnly = [
  'ai',
  '@ai-sdk',
  'zod',
  '@standard-schema',
  '@vercel',
  '@workflow',
  'eventsource-parser',
  'marked',
  'node-pg-migrate',
];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/summary-reporter.cjs'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  maxWorkers: 2,
  // A machine that is busy with something else for a while must not fail what is right.
  testTimeout: 120_000,
};
