// Needs nothing.
import { join } from 'node:path';
import { longLines, runCli } from '../support/cli-command';
import { buildDemo } from '../support/demo-command';

beforeAll(buildDemo, 120_000);

const HELP = [
  '',
  'migrate',
  'setup',
  'worker',
  'webhooks',
  'replay',
  'ops',
  'ops list',
  'ops show',
  'ops check',
  'ops resolve',
  'ops redo',
  'pause',
  'resume',
  'pauses',
];

describe('help', () => {
  test.each(HELP)('sendonce %s --help fits 80 columns, goes to stdout, exit code 0', async (command) => {
    const { code, stdout, stderr } = await runCli([...command.split(' ').filter(Boolean), '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: sendonce ${command}`);
    expect(longLines(stdout)).toEqual([]);
  });

  test('sendonce alone: the help on stderr, exit code 1', async () => {
    const { code, stdout, stderr } = await runCli([]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Usage: sendonce/);
    expect(stderr).toContain('DATABASE_URL');
  });

  test('--version: the package’s', async () => {
    const { version } = require('../../package.json') as { version: string };
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

const resolving = (...more: string[]) => [
  ...['ops', 'resolve', 'refund-1', '--by', 'ann', '--note', 'I looked.', '--version', '3'],
  ...more,
];
const URL = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };

describe('what is wrong: one line on stderr that says what to do, exit code 1', () => {
  test.each([
    [['list'], {}, /Unknown command 'list'\. See --help\.$/],
    [['--list'], {}, /Unknown option '--list'\. See --help\.$/],
    [['ops', 'list', '--stat', 'unknown'], {}, /Unknown option '--stat'\. \(Did you mean --state\?\) See --help\.$/],
    [['ops', 'list', '--state', 'lost'], {}, /'lost' is invalid\. Give one of registered, .*, escalated\. See/],
    [['ops', 'list', '--limit', '0'], {}, /'0' is invalid\. Give a whole number from 1 to 1000\. See/],
    [['ops', 'list', '--older-than', '1w'], {}, /'1w' is invalid\. Give a number and s, m, h or d, for example 1h\./],
    [['ops', 'list'], {}, /DATABASE_URL is missing\. Set it to postgres:/],
    [['ops', 'list'], URL, /Postgres at 127\.0\.0\.1:1 cannot be reached .*Start it, or set DATABASE_URL/],
    [['ops', 'show', ''], {}, /argument value '' is invalid for argument 'id'\. It is empty\. See --help\.$/],
    [['ops', 'show', 'x', '--tenant', ' '], {}, /argument ' ' is invalid\. It is empty\. See --help\.$/],
    [['ops', 'list', '--tenant', ''], {}, /argument '' is invalid\. It is empty\. See --help\.$/],
    [['ops', 'show'], {}, /Missing required argument 'id'\. See --help\.$/],
    [['ops', 'check', 'refund-1'], {}, /Required option '--tools <file>' not specified\. See --help\.$/],
    [['ops', 'check', 'refund-1', '--tools', 'nix.mjs'], {}, /There is no file \/.*\/nix\.mjs\.$/],
    [resolving('--as', 'lost'), {}, /'lost' is invalid\. Allowed choices are confirmed, rejected\. See --help\.$/],
    [resolving(), {}, /Required option '--as <verdict>' not specified\. See --help\.$/],
    [resolving('--as', 'rejected', '--version', '0'), {}, /'0' is invalid\. Give the number that ops show tells/],
    [resolving('--as', 'rejected', '--looked-at', '20:15'), {}, /'20:15' is invalid\. Give a time with its offset/],
    [resolving('--as', 'rejected', '--looked-at', '2026-11-30T20:15'), {}, /Give a time with its offset/],
    [resolving('--as', 'confirmed'), {}, /Name the effect: --external-id.* goes with --as confirmed\.$/],
    [resolving('--as', 'rejected', '--external-id', 're_1'), {}, /Leave out --external-id: /],
    [resolving('--as', 'confirmed', '--external-id', 're_1', '--allow-resend'), {}, /Leave out --allow-resend: /],
    [
      ['ops', 'resolve', 'refund-1', '--as', 'rejected', '--version', '3', '--note', 'n'],
      {},
      /option '--by <name>' not/,
    ],
    [['pause', '--by', 'ann', '--note', 'n'], {}, /Name one: --tool NAME or --provider NAME\.$/],
    [['resume', '--tool', 't', '--provider', 'p'], {}, /Name one: --tool NAME or --provider NAME\.$/],
    [['pause', '--tool', 't', '--note', 'n'], {}, /Required option '--by <name>' not specified\. See --help\.$/],
    [['pause', '--tool', '', '--by', 'ann', '--note', 'n'], {}, /'' is invalid\. It is empty\. See --help\.$/],
    [
      ['ops', 'redo', 'refund-1', '--id', 'refund-2', '--by', 'ann', '--note', 'n'],
      {},
      /'--tools <file>' not specified/,
    ],
    [['ops', 'redo', 'refund-1', '--tools', 'x.mjs', '--by', 'ann', '--note', 'n'], {}, /'--id <id>' not specified/],
    [['migrate', 'now'], {}, /Too many arguments/],
    [['migrate', '--schema', 'A-b'], {}, /'A-b' is invalid\. Give lower-case letters/],
    [['migrate'], { ...URL, SENDONCE_SCHEMA: 'A-b' }, /SENDONCE_SCHEMA is "A-b"\. Set it to/],
    [['setup'], { TEMPORAL_ADDRESS: '127.0.0.1:1' }, /Temporal at 127\.0\.0\.1:1 cannot be reached .*TEMPORAL_ADDRESS/],
    [['setup'], { TEMPORAL_ADDRESS: 'temporal' }, /TEMPORAL_ADDRESS is "temporal"\. Set it to host:port/],
    [['worker'], {}, /Required option '--tools <file>' not specified\. See --help\.$/],
    [['worker', '--tools', 'nix.mjs'], {}, /There is no file \/.*\/nix\.mjs\.$/],
    [['webhooks'], {}, /Required option '--tools <file>' not specified\. See --help\.$/],
    [['webhooks', '--tools', 'nix.mjs'], {}, /There is no file \/.*\/nix\.mjs\.$/],
    [['webhooks', '--tools', 'nix.mjs', '--port', 'http'], {}, /'http' is invalid\. Give a port, 0 to 65535; 0 takes/],
    [['replay'], {}, /Name what to replay: files, --workflow-id ID, or --recent\. See --help\.$/],
    [['replay', '--recent', 'all'], {}, /'all' is invalid\. Give a whole number/],
    [
      ['replay', 'nix.json'],
      {},
      /nix\.json cannot be read .*ENOENT.* Make one with: sendonce replay --workflow-id ID --save FOLDER$/,
    ],
    [['replay', join(__dirname, '../../package.json')], {}, /package\.json cannot be read .* no list "events"/],
    [['replay', '--workflows', 'nix.ts', 'nix.json'], {}, /There is no file \/.*\/nix\.ts\.$/],
  ])('sendonce %j', async (args, settings, message) => {
    const { code, stdout, stderr } = await runCli(args, settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sendonce: [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(message);
  });
});
