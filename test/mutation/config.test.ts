// Needs nothing.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const stryker: {
  readonly mutate: readonly string[];
  readonly plugins: readonly string[];
  readonly jest: { readonly configFile: string };
  readonly tsconfigFile: string;
} = require('./stryker.config.cjs');
const jestConfig: {
  readonly testMatch: readonly string[];
  readonly testEnvironment: string;
} = require('./jest.config.cjs');

test('the mutation run is about every file of src/operations', () => {
  expect(stryker.mutate).toEqual(['src/operations/*.ts']);
  expect(readdirSync(join(ROOT, 'src/operations')).filter((name) => !name.endsWith('.ts'))).toEqual([]);
});

test('every file that the mutation run names is there', () => {
  const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
  expect(scripts.mutation).toBe('node scripts/bootstrap.mjs mutation');
  const [tests] = jestConfig.testMatch.map((pattern) => pattern.replace('<rootDir>', '.'));
  for (const file of [stryker.jest.configFile, `${tests}`, 'test/mutation/run.mjs']) {
    expect(`${file}: ${existsSync(join(ROOT, file))}`).toBe(`${file}: true`);
  }
  const own = stryker.plugins.filter((plugin) => !plugin.startsWith('@'));
  for (const path of [...own, jestConfig.testEnvironment]) expect(`${path}: ${existsSync(path)}`).toBe(`${path}: true`);
});

test('the compiler options that Stryker is told to rewrite are not there: it cannot do that with TypeScript 7', () => {
  expect(existsSync(join(ROOT, stryker.tsconfigFile))).toBe(false);
});
