// Needs Postgres.
import { buildDemo } from '../support/demo-command';
import { type CodeBlock, markdownPages } from '../support/markdown';
import { sequenceDiagramProblems } from '../support/sequence-diagram';
import { shellProblems } from '../support/shell-lines';
import { contentOf, fileOf, snippetProject } from '../support/snippets';
import { createTestDatabase } from '../support/test-database';

/** Written by `npm run docs:api` from what the compiler wrote; `npm run check:docs` compares them. */
const GENERATED = 'docs/api/';

const BLOCKS = markdownPages()
  .flatMap(({ blocks }) => blocks)
  .filter(({ page }) => !page.startsWith(GENERATED));

const CHECKED = ['ts', 'js', 'sh', 'sql', 'json', 'mermaid'] as const;
type Checked = (typeof CHECKED)[number];

function blocksOf(language: Checked): { readonly name: string; readonly block: CodeBlock }[] {
  return BLOCKS.filter((block) => block.language === language && block.notRun === null).map((block) => ({
    name: `${block.page}:${block.line}`,
    block,
  }));
}

test('every code block of every page is compiled, run or checked, or says in a comment why not', () => {
  const escaped = BLOCKS.filter(({ language, notRun }) => !CHECKED.some((each) => each === language) && !notRun);
  const advice = `Make it one of ${CHECKED.join(', ')}, or put <!-- not run: the reason --> above it.`;
  expect(
    escaped.map(({ page, line, language }) => `${page}:${line} is of ${language || 'no language'}. ${advice}`),
  ).toEqual([]);
  expect(BLOCKS.filter(({ notRun }) => notRun !== null && notRun.length < 10)).toEqual([]);
});

test('ts and js: compile, strict, in a project that has the package installed', async () => {
  await buildDemo();
  const project = snippetProject();
  for (const { block } of [...blocksOf('ts'), ...blocksOf('js')]) project.write(fileOf(block), contentOf(block));
  const problems = await project.check();
  await project.remove();
  expect(problems).toBe('');
}, 120_000);

describe('sh', () => {
  beforeAll(buildDemo, 120_000);

  test.each(blocksOf('sh'))('$name: its commands exist', ({ block }) => {
    expect(
      shellProblems(
        block,
        BLOCKS.filter(({ page }) => page === block.page),
      ),
    ).toEqual([]);
  });
});

describe('sql', () => {
  test.each(blocksOf('sql'))('$name: runs on a migrated database', async ({ block }) => {
    const test = await createTestDatabase();
    await expect(test.database.pool.query(block.code)).resolves.toBeDefined();
    await test.drop();
  });
});

describe('json', () => {
  test.each(blocksOf('json'))('$name: is JSON', ({ block }) => expect(() => JSON.parse(block.code)).not.toThrow());
});

describe('mermaid', () => {
  test.each(blocksOf('mermaid'))('$name: is a sequence diagram', ({ block }) => {
    expect(sequenceDiagramProblems(block.code)).toEqual([]);
  });
});
