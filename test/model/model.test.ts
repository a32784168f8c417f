// Needs nothing.
import { execFile } from 'node:child_process';
import { SCENARIOS, WALKS } from './catalogue';
import { PROMISES } from './catalogue/kinds';
import { MUTANTS } from './mutants';

interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function model(...args: readonly string[]): Promise<End> {
  return new Promise((resolve) => {
    execFile(process.execPath, [require.resolve('./run.cjs'), ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

const lastLine = ({ stdout }: End) => stdout.trimEnd().split('\n').at(-1);

describe('npm run model', () => {
  test('--quick: no interleaving breaks a rule, workers dying at any step included, and every planted mistake is caught', async () => {
    const end = await model('--quick');
    process.stdout.write(`${lastLine(end)}\n`);
    expect({ code: end.code, broken: end.stdout.match(/^(BROKEN|NOT ).*/gm) }).toEqual({ code: 0, broken: null });
    const [, states, transitions] =
      /^model: (\d+) distinct states, (\d+) transitions, 0 violations, (\d+) of \3 mutants caught$/.exec(
        lastLine(end) ?? '',
      ) ?? [];
    expect(Number(states)).toBeGreaterThan(400_000);
    expect(Number(transitions)).toBeGreaterThan(Number(states));
    expect(end.stdout).toContain('\na provider that knows no key, and cannot be asked\n');
  }, 600_000);

  test('a story is told again by its seed, move by move', async () => {
    const told = await model('--only', 'no send deadline');
    const [, story, seed] = /\n\n([\s\S]+?)\n\nAgain: npm run model -- --replay '(.+)'/.exec(told.stderr) ?? [];
    expect(story).toContain('=> Rule 3: nothing is sent after its deadline.');
    const again = await model('--replay', seed ?? '');
    expect(again).toMatchObject({ code: 0, stdout: `With a mistake planted: no send deadline.\n${story}\n` });
  }, 60_000);

  test.each([
    [['--quick', '--deep'], 'Say --quick or --deep, not both.'],
    [['--threads', 'many'], '--threads must be a whole number from 1 to 64, not "many".'],
    [['--only', 'no such thing'], 'Nothing is named "no such thing".'],
    [['--replay', 'what?'], '"what?" is no seed: one looks like "an_answer_is_lost@0.3.1".'],
    [
      ['--replay', 'no_such_scenario@0'],
      'There is no scenario "no such scenario": was it renamed since the seed was printed?',
    ],
    [['--replay', 'no_send_deadline@zz'], 'Move 1 is not possible any more: the rules or the scenario have changed.'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j → exit code 2, and what to do', async (args, why) => {
    const end = await model(...args);
    expect(end).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`model: `) });
    expect(end.stderr).toContain(why);
    expect(end.stderr).toContain('See npm run model -- --help.');
  });
});

describe('the catalogue', () => {
  test('names everything once, and nothing that a seed cannot bear', () => {
    const names = [...SCENARIOS, ...WALKS].map(({ scenario }) => scenario.name);
    names.push(...MUTANTS.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).not.toMatch(/[_@']{2}|[_@]/);
  });

  test('holds every kind of contract at every level, and at least 20 mistakes', () => {
    for (const level of ['quick', 'usual', 'deep']) {
      const contracts = new Set(
        SCENARIOS.filter((each) => each.level === level).map(({ scenario }) => scenario.contract),
      );
      expect(contracts.size).toBe(PROMISES.length);
    }
    expect(MUTANTS.length).toBeGreaterThanOrEqual(20);
  });

  test('bounds the number of worlds at the deep level only: the others are explored whole', () => {
    for (const { level, maxStates } of SCENARIOS) if (maxStates !== undefined) expect(level).toBe('deep');
  });
});
