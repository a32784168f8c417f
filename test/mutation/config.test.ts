// Needs nothing.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const stryker: {
  readonly mutate: readonly string[];
  readonly plugins: readonly string[];
  readonly tsconfigFile: string;
} = require('./stryker.config.cjs');

test('the mutation run is about every file of src/operations', () => {
  expect(stryker.mutate).toEqual(['src/operations/*.ts']);
  expect(readdirSync(join(ROOT, 'src/operations')).filter((name) => !name.endsWith('.ts'))).toEqual([]);
});

test('every file that the mutation run names is there', () => {
  const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
  expect(scripts.mutation).toBe('node scripts/bootstrap.mjs mutation');
  for (const path of [...stryker.plugins, join(__dirname, 'run.mjs'), join(__dirname, 'few-runs.cjs')]) {
    expect(`${path}: ${existsSync(path)}`).toBe(`${path}: true`);
  }
});

test('the compiler options that Stryker is told to rewrite are not there: it cannot do that with TypeScript 7', () => {
  expect(existsSync(join(ROOT, stryker.tsconfigFile))).toBe(false);
});
