const { join } = require('node:path');
const project = require('../../jest.config.cjs');

/**
 * Only what needs nothing: no Postgres, no Temporal, no reporter that speaks at the end.
 * @type {import('jest').Config}
 */
module.exports = {
  rootDir: join(__dirname, '..', '..'),
  testEnvironment: join(__dirname, 'first-failure-environment.cjs'),
  testMatch: ['<rootDir>/test/mutation/operations-tests.ts'],
  moduleNameMapper: { '^fast-check$': '<rootDir>/test/mutation/few-runs.cjs' },
  transform: project.transform,
  transformIgnorePatterns: project.transformIgnorePatterns,
};
