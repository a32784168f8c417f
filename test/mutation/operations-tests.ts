// Needs nothing. Run by Stryker alone: see run.mjs.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The tests of src/operations in one file: each mutant then loads the modules once and not once a test file, which is
 * most of the time. Searches and properties run thousands of cases a test and would only be killed slowly by what the
 * tests of single rules kill at once.
 */
const FOLDER = join(__dirname, '..', 'operations');
const SLOW = /^explorer|-properties\.test\.ts$/;

const files = readdirSync(FOLDER).sort();
const isTest = (file: string) => file.endsWith('.test.ts');
const shared = files.filter((file) => !isTest(file));

/** Stryker knows a test by its name: one whose text changed is another one, or its old result would be reused. */
function textOf(file: string): string {
  const hash = createHash('sha256');
  for (const one of [...shared, file]) hash.update(readFileSync(join(FOLDER, one)));
  return hash.digest('hex').slice(0, 8);
}

for (const file of files.filter((one) => isTest(one) && !SLOW.test(one))) {
  describe(`${file} ${textOf(file)}`, () => {
    require(join(FOLDER, file));
  });
}
