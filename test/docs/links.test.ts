// Needs nothing.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { markdownPages, ROOT, resolveLink } from '../support/markdown';

const PAGES = markdownPages();
const LINKS = PAGES.flatMap(({ links }) => links);

test('every relative link leads to a file of the repository, every anchor to a heading', () => {
  const relative = LINKS.filter(({ target }) => !/^[a-z]+:/.test(target));
  expect(relative.length).toBeGreaterThan(50);
  const broken = relative.filter((link) => {
    const { path, anchor } = resolveLink(link);
    if (path.startsWith('..') || !existsSync(join(ROOT, path))) return true;
    return anchor !== null && !PAGES.find(({ page }) => page === path)?.anchors.has(anchor);
  });
  expect(broken.map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
});

test('links to other sites are encrypted', () => {
  expect(LINKS.filter(({ target }) => /^http:\/\/(?!127\.0\.0\.1)/.test(target))).toEqual([]);
});

test('every page of docs can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const from of reached) {
    for (const link of PAGES.find(({ page }) => page === from)?.links ?? []) {
      const { path } = resolveLink(link);
      // A folder shows its README, and lists its pages where there is none.
      for (const { page } of PAGES) if (page === path || page.startsWith(join(path, '/'))) reached.add(page);
    }
  }
  expect(PAGES.map(({ page }) => page).filter((page) => !reached.has(page))).toEqual([]);
});

describe('the table of what dies, and when', () => {
  const rows =
    PAGES.flatMap(({ tables }) => tables).find(({ heading }) => heading === 'If X dies at Y, then Z')?.rows ?? [];

  test('is in the README', () => expect(rows.length).toBeGreaterThan(8));

  test.each(rows)('$first: its tests exist, by file and title', ({ links }) => {
    const tests = links.filter(({ target }) => target.startsWith('test/'));
    expect(tests).not.toEqual([]);
    expect(tests.filter(({ target, title }) => !hasTest(target, title))).toEqual([]);
  });
});

/** Whether the file has a test of this title; where titles are made from a table, whether the table has such a row. */
function hasTest(file: string, title: string | null): boolean {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const tables = [source, ...importedBy(file, source)];
  const templates = source.matchAll(/\btest(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  return [...templates].some(([, , template = '']) => {
    const fixed = template.replaceAll("\\'", "'").split(/%s|\$\w+/);
    const match = new RegExp(`^${fixed.map(literally).join('(.+)')}$`).exec(title ?? '');
    const isRow = (part: string) => new RegExp(`(^|['"\\s])${literally(part)}['"]?[:,]`, 'm');
    return match?.slice(1).every((part) => tables.some((table) => isRow(part).test(table)));
  });
}

/** A file's own modules of the tests: a table of promises may stand in one, and what the model check explores does. */
function importedBy(file: string, source: string): readonly string[] {
  return [...source.matchAll(/from '(\.[^']*\/(?:support|themes)\/[^']+)'/g)].map(([, path = '']) =>
    readFileSync(`${join(ROOT, dirname(file), path)}.ts`, 'utf8'),
  );
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
