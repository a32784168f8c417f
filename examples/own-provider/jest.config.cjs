/** What sendonce needs and ships ES modules only; jest runs CommonJS, so they are translated. */
const esmOnly = ['ai', '@ai-sdk', 'zod', '@standard-schema', '@vercel', '@workflow', 'eventsource-parser'];

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testMatch: ['<rootDir>/*.test.ts'],
  transform: {
    '^.+\\.(t|j|mj)s$': ['@swc/jest', { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } }],
  },
  // The first is the package itself, which in your project stands in node_modules.
  transformIgnorePatterns: ['<rootDir>/../../dist/', `/node_modules/(?!(${esmOnly.join('|')})/)`],
};
