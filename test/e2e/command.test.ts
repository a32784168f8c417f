// Needs nothing: the command starts a Postgres and a Temporal of its own.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import { SCENARIOS } from '../../src/dev/scenarios/scenarios';
import {
  buildDemo,
  demoFolder,
  describeOnLinux,
  freePortSettings,
  PORT_SETTINGS,
  processesOn,
  runDemo,
  runDemoInTerminal,
} from '../support/demo-command';

const folder = demoFolder();
const dataDir = folder.path;
beforeAll(buildDemo, 120_000);
afterAll(folder.remove);

const RUN_TIMEOUT_MS = 120_000;

describe('npm start --', () => {
  test('--list: the scenarios, one a line, and nothing is started', async () => {
    const { code, stdout, stderr } = await runDemo(['--list'], { dataDir });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const told = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(told).toEqual(SCENARIOS.map(({ name, title }) => [name, title]));
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('--help: the options, and nothing is started', async () => {
    const { code, stdout } = await runDemo(['--help'], { dataDir });
    expect(code).toBe(0);
    for (const option of ['--scenario NAME', '--once', '--json', '--naive [run-id]', '--list']) {
      expect(stdout).toContain(option);
    }
  });

  test.each([
    [
      ['--scenario', 'lost'],
      /^sendonce: There is no scenario "lost"\. Choose one of happy, lost-answer, .*, zombie, .*, paused\.\n$/,
    ],
    [['--scenario'], /^sendonce: .*--scenario.* See --help\.\n$/],
    [['--quietly'], /^sendonce: Unknown option '--quietly'.* See --help\.\n$/s],
    [['run-id'], /^sendonce: What is "run-id"\? See --help\.\n$/],
    [['--naive', 'key'], /^sendonce: What is "key"\? See --help\.\n$/],
    [['--naive', 'run-id', 'more'], /^sendonce: What is "\w[\w-]*"\? See --help\.\n$/],
    [['--once=yes'], /^sendonce: .*--once.* See --help\.\n$/],
  ])('%j → one line on stderr, exit code 1, and nothing is started', async (args, line) => {
    const { code, stdout, stderr } = await runDemo(args, { dataDir });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(line);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('a port that is none → the setting is named, and nothing is started', async () => {
    const { code, stdout, stderr } = await runDemo([], { dataDir, env: { SENDONCE_STRIPE_PORT: 'stripe' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('sendonce: SENDONCE_STRIPE_PORT is "stripe". Set it to a port, 1 to 65535, or leave it out.\n');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('a folder that cannot be made → the setting is named', async () => {
    const { code, stderr } = await runDemo([], { dataDir: '/dev/null/data' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sendonce: .*\/dev\/null\/data.*SENDONCE_DATA_DIR.*\n$/);
  });

  test.each(PORT_SETTINGS)(
    '%s in use → it is named, and nothing is left running',
    async (setting) => {
      const env = await freePortSettings();
      const other = createServer().listen(Number(env[setting]), '127.0.0.1');
      await once(other, 'listening');
      const own = demoFolder();
      try {
        const { code, stderr } = await runDemo([], { dataDir: own.path, env });
        expect(code).toBe(1);
        expect(stderr).toMatch(
          new RegExp(
            `^sendonce: .* cannot listen on port ${env[setting]}, another program does: .* set ${setting} to .*\\n$`,
          ),
        );
        expect(processesOn(own.path)).toEqual([]);
      } finally {
        other.close();
        own.remove();
      }
    },
    RUN_TIMEOUT_MS,
  );
});

describe('what it writes', () => {
  test(
    'into a pipe → no escape codes; of its data on disk nothing is left',
    async () => {
      const { code, stdout, stderr } = await runDemo(['--once', '--scenario', 'happy'], { dataDir });
      expect(code).toBe(0);
      expect(stripVTControlCharacters(stdout + stderr)).toBe(stdout + stderr);
      expect(stdout).toContain('happy: Nothing goes wrong.');
      expect(longLines(stdout, 100)).toEqual([]);
      expect(readdirSync(dataDir)).toEqual([]);
      expect(processesOn(dataDir)).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );
});

describeOnLinux('what it writes into a terminal', () => {
  test.each([80, 120])(
    'of %i columns → colours, and no line is longer but addresses',
    async (columns) => {
      const text = await runDemoInTerminal(['--once', '--naive'], { dataDir, columns });
      expect(text).not.toBe(stripVTControlCharacters(text));
      expect(text).toContain('Keys that were sent');
      expect(longLines(text, columns)).toEqual([]);
    },
    RUN_TIMEOUT_MS,
  );

  test('of 80 columns → --list and --help fit, too', async () => {
    for (const option of ['--list', '--help']) {
      expect(longLines(await runDemoInTerminal([option], { dataDir, columns: 80 }), 80)).toEqual([]);
    }
  });
});

/** Lines that a terminal of so many columns would have to break, but for addresses, which must stay whole. */
function longLines(text: string, columns: number): string[] {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => [...line].length > columns && !/https?:\/\//.test(line));
}
