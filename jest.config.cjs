/** Packages that ship ES modules only; jest runs CommonJS, so swc translates them. */
const esmOnly = ['ai', '@ai-sdk', 'zod', '@standard-schema', '@vercel', '@workflow', 'eventsource-parser'];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
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
  testTimeout: 30_000,
};
