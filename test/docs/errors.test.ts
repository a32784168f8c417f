// Needs nothing.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownPages, ROOT } from '../support/markdown';

const SOURCES = globSync('src/**/*.ts', { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'));

/** Code and class of every error in src: of those with one code, and of the one with several. */
const DEFINED = SOURCES.flatMap((source) => [
  ...[...source.matchAll(/class (\w+Error) extends \w+[^{]*\{[^}]*?\bcode = '(SENDONCE_\w+)'/g)].map(
    ([, name, code]) => `\`${code ?? ''}\` ${name ?? ''}`,
  ),
  ...[...source.matchAll(/^ {2}\| '(SENDONCE_\w+)'/gm)].map(([, code]) => `\`${code ?? ''}\` DevServerError`),
]);

const LISTED = markdownPages()
  .filter(({ page }) => page === 'docs/errors.md')
  .flatMap(({ tables }) => tables.flatMap(({ rows }) => rows));

test('docs/errors.md lists every error with a code, by code and class, and no other', () => {
  expect(LISTED.map(({ first }) => first).sort()).toEqual(DEFINED.sort());
});

test('every code is of one class', () => {
  const codes = SOURCES.flatMap((source) => [...source.matchAll(/(?:code = |^ {2}\| )'SENDONCE_\w+'/gm)]);
  // As many as were found with their class: none is defined in a way that the page's test does not see.
  expect(codes).toHaveLength(DEFINED.length);
  expect(new Set(codes.map(([code]) => code)).size).toBe(codes.length);
});

test('each says what it means, what it does not mean, and what to do', () => {
  for (const { first, cells } of LISTED)
    expect({ first, empty: cells.some((cell) => cell.trim() === '') || cells.length !== 4 }).toEqual({
      first,
      empty: false,
    });
});
