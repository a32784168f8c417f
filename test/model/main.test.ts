// Needs nothing.
import { entriesOf, THEMES } from './catalogue';
import { main } from './main';
import { decodeSeed, encodeSeed } from './seed';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly progress: readonly string[];
}

async function run(catalogue: string, ...args: string[]): Promise<Run> {
  const out: string[] = [];
  const progress: string[] = [];
  const code = await main(args, {
    catalogue: require.resolve(catalogue),
    out: (text) => out.push(text),
    progress: (line) => progress.push(line),
  });
  return { code, out: out.join('\n'), progress };
}

function lastLine({ out }: Run): string | undefined {
  return out.split('\n').at(-1);
}

jest.setTimeout(120_000);

test('a rule that is broken → its story and its seed, exit code 1', async () => {
  const broken = await run('./failing/broken');
  expect(broken.code).toBe(1);
  expect(broken.out).toMatch(/^the margin is too short:\n {2}1\. A#1 starts\n/m);
  expect(broken.out).toMatch(/^ {2}=> Rule (2|6): /m);
  expect(broken.out).toContain('not as it must be: broken/every-answer: Rule 6');
  expect(broken.progress.at(-1)).toMatch(/^\[1\/1\] broken\/every-answer: \d+ states, .*, Rule 6: .*, in \d+ moves$/);
  expect(lastLine(broken)).toMatch(
    /^model: \d+ distinct states, \d+ transitions, 1 violations, 0 of 0 mutants caught$/,
  );
});

test('the seed of a trace tells the same story again', async () => {
  const { out } = await run('./failing/broken');
  const [, story, seed = ''] =
    /\n(the margin is too short:\n[\s\S]*?)\nagain: npm run model -- --replay (\S+)\n/.exec(out) ?? [];
  expect(story).toMatch(/=> Rule/);
  expect(await run('./failing/broken', '--replay', seed)).toEqual({ code: 1, out: story, progress: [] });
  const { id, path } = decodeSeed(seed);
  const shorter = encodeSeed({ id, path: path.slice(0, -1) });
  const told = await run('./failing/broken', '--replay', shorter);
  expect(told.code).toBe(0);
  expect(told.out).toMatch(/\n {2}It breaks no rule\.$/);
});

test("a mistake's seed tells the same story again, with the mistake", async () => {
  const { code, out } = await run('./failing/not-caught', '--only', 'another-rule');
  expect(code).toBe(1);
  const [, story, seed = ''] =
    /\n(one call alone:\n[\s\S]*?)\nagain: npm run model -- --replay (\S+)\n/.exec(out) ?? [];
  expect(story).toMatch(/=> Told later, once: whoever waits hears how it ends\./);
  expect(await run('./failing/not-caught', '--replay', seed)).toEqual({ code: 1, out: story, progress: [] });
  const without = await run('./failing/not-caught', '--replay', `control/${seed}`);
  expect(without.code).toBe(0);
});

test('a scenario that is stopped without a stated bound → exit code 1, one with a stated bound is named', async () => {
  const stopped = await run('./failing/incomplete');
  expect(stopped.code).toBe(1);
  expect(stopped.out).toContain(
    'not as it must be: unstated/every-answer: stopped after 300 states, and no bound is stated',
  );
  expect(stopped.out).not.toContain('not as it must be: stated');
  const stated = await run('./failing/incomplete', '--only', '/every-answer');
  expect(stated.out).toContain('stated bound of 300 states, and not completely: stated/every-answer.');
});

test('what a scenario is about and never happens → exit code 1', async () => {
  const { code, out } = await run('./failing/not-reached');
  expect(code).toBe(1);
  expect(out).toContain('not as it must be: alone/every-answer: what it is about never happened');
});

test('a mistake that is not caught, or not by the rule it breaks, or by a crash alone → exit code 1', async () => {
  const missed = await run('./failing/not-caught');
  expect(missed.code).toBe(1);
  expect(lastLine(missed)).toMatch(/, 0 violations, 0 of 3 mutants caught$/);
  expect(missed.out).toContain('not as it must be: mutant/none is not caught: no rule was broken');
  expect(missed.out).toContain('not as it must be: mutant/another-rule is not caught: Told later, once');
  expect(missed.out).toContain('not as it must be: mutant/crash is not caught: The rules have an answer');
});

test('a small part of the whole → two tables, nothing broken, exit code 0', async () => {
  const part = await run('./whole', '--quick', '--only', 'neighbour');
  expect(part.code).toBe(0);
  expect(part.out).toMatch(/stores every answer, can be asked +1 +0 +\d+ +\d+ +0 +\d+\n/);
  expect(lastLine(part)).toMatch(/^model: \d+ distinct states, \d+ transitions, 0 violations, 0 of 0 mutants caught$/);
  const mistakes = await run('./whole', '--only', 'tenant-left-out');
  expect(mistakes.code).toBe(0);
  expect(mistakes.out).toMatch(/^the tenant is left out of the key.* +\d+ {2}Rule 4: confirmed is certain$/m);
  expect(lastLine(mistakes)).toMatch(/, 0 violations, 1 of 1 mutants caught$/);
});

test.each([
  [['--deeper'], /Unknown option '--deeper'/],
  [['quick'], /Unexpected argument 'quick'/],
  [['--quick', '--deep'], /exclude each other/],
  [['--quick', '--replay', 'a@b'], /--replay goes alone/],
  [['--replay', 'nothing'], /"nothing" is no seed: expected NAME@MOVES/],
  [['--replay', 'nowhere/at-all@AAAA'], /There is no scenario "nowhere\/at-all"/],
  [['--replay', 'mutant/tenant-left-out@f39_fw'], /The trace leads nowhere after 0 moves/],
  [['--only', 'nonsense'], /Nothing has "nonsense" in its name or description/],
])('%j → said what is wrong, exit code 2', async (args, said) => {
  const { code, out, progress } = await run('./whole', ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(progress.join('\n')).toMatch(said);
  expect(progress.join('\n')).toMatch(/^model: .* See --help\.$/);
});

test('--help → how it is used', async () => {
  const { code, out } = await run('./whole', '--help');
  expect(code).toBe(0);
  expect(out).toContain('npm run model -- [options]');
});

test.each([[[]], [[0]], [[1, 2, 3]], [[127, 128, 0, 300, 70_000]]])('a seed keeps the path %j', (path) => {
  if (path.length === 0) return expect(() => decodeSeed(encodeSeed({ id: 'a/b', path }))).toThrow(RangeError);
  expect(decodeSeed(encodeSeed({ id: 'a/b+c', path }))).toEqual({ id: 'a/b+c', path });
});

describe('the catalogue', () => {
  test('has each scenario once, and in a quick run a part of the same', () => {
    const full = entriesOf('full').map(({ id }) => id);
    expect(new Set(full).size).toBe(full.length);
    expect(full).toEqual(expect.arrayContaining(entriesOf('quick').map(({ id }) => id)));
    expect(entriesOf('deep').map(({ id }) => id)).toEqual(expect.arrayContaining(full.map((id) => `deep/${id}`)));
  });

  test('names no kind of contract in a theme that there is not', () => {
    const named = THEMES.flatMap(({ id, quick = [] }) => quick.map((kind) => `${id}/${kind}`));
    expect(entriesOf('quick').map(({ id }) => id)).toEqual(expect.arrayContaining(named));
  });
});
