// Needs Postgres and Temporal.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportHistory } from '../support/export-history';
import { type PackedProject, packProject, type Ran } from '../support/packed-project';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const ROOT = join(__dirname, '../..');
const TYPESCRIPT = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
/** A build, a pack, and two installations out of npm's cache. */
const SET_UP_MS = 300_000;
const RUN_MS = 120_000;

/**
 * What a service that only starts turns, or a file of workflows, loads. Nothing from outside the project counts: Node
 * would go on looking in the folders above it.
 */
const ALONE = `
  const Module = require('node:module');
  const resolve = Module._resolveFilename;
  Module._resolveFilename = (name, ...more) => {
    const file = resolve(name, ...more);
    if (file.startsWith('/') && !file.startsWith(process.cwd())) throw new Error(name + ' is not in the project');
    return file;
  };
  for (const entry of ['client', 'console', 'workflows', 'providers/stripe']) require('sendonce/' + entry);`;

let project: PackedProject;
let alone: Ran;
let installedAlone: readonly string[];

beforeAll(async () => {
  project = await packProject();
  await project.install();
  installedAlone = readdirSync(join(project.path, 'node_modules'));
  alone = await project.node(['-e', ALONE]);
  await project.install('ai', 'stripe');
}, SET_UP_MS);
afterAll(() => project?.remove());

describe('the tarball', () => {
  test('holds code, types, SQL and the workflow bundle', () => {
    expect(project.files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'dist/index.d.ts',
        'dist/index.js',
        'dist/client/index.d.ts',
        'dist/console/index.js',
        'dist/ledger/migrations/0001_operations.sql',
        'dist/ledger/migrations/0002_conversations.sql',
        'dist/providers/stripe/index.js',
        'dist/testing/index.js',
        'dist/workflow-bundle.js',
        'dist/workflows/index.js',
        'package.json',
      ]),
    );
  });

  test('holds no demo, no test, no source and nothing of the build', () => {
    const expected =
      /^(dist\/(?!dev\/)[\w./-]+\.(js|js\.map|d\.ts|sql)|package\.json|README\.md|CHANGELOG\.md|LICENSE)$/;
    expect(project.files.filter((file) => !expected.test(file) || /\.test\./.test(file))).toEqual([]);
  });

  test('source maps bring their sources, as the tarball has none', () => {
    const map = JSON.parse(readFileSync(installed('dist/worker.js.map'), 'utf8')) as { sourcesContent?: string[] };
    expect(map.sourcesContent?.[0]).toContain('export async function startWorker');
  });

  test('every entry of the package is a file, with its types', () => {
    const { exports } = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as { exports: object };
    const targets = Object.values(exports).flatMap((entry: unknown) =>
      typeof entry === 'object' && entry !== null ? Object.values(entry) : [entry],
    );
    expect(targets.length).toBeGreaterThan(10);
    for (const target of targets) expect(statSync(installed(String(target))).isFile()).toBe(true);
  });
});

describe('in an empty project', () => {
  test('client, console, workflows and provider load where neither ai nor stripe is installed', () => {
    expect(installedAlone).toEqual(expect.arrayContaining(['sendonce', 'zod']));
    expect(installedAlone.filter((name) => ['ai', 'stripe', '@ai-sdk'].includes(name))).toEqual([]);
    expect(alone).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  describe.each([
    ['ES module', 'refund.mjs'],
    ['CommonJS', 'refund.cjs'],
  ])('a tool of its own, %s', (_kind, file) => {
    let own: TestDatabase;
    beforeAll(async () => {
      own = await createTestDatabase({ migrated: false });
    });
    afterAll(() => own.drop());

    test('takes less than 40 lines', () => {
      const lines = readFileSync(join(project.path, file), 'utf8').trimEnd().split('\n');
      expect(lines.length).toBeLessThan(40);
      expect(lines.filter((line) => line.length > 120)).toEqual([]);
    });

    test(
      'migrates, refunds once in a turn, and ends by itself',
      async () => {
        const name = `package-${file}-${process.pid}`;
        const { code, stdout, stderr } = await project.node([file, name], serversOf(own));
        expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
        expect(JSON.parse(stdout)).toEqual({
          reply: {
            outcome: 'answered',
            text: expect.stringContaining('refund-7'),
            workflowId: expect.stringContaining(name),
          },
          counted: { effects: 1, sends: 1 },
        });
        // Temporal's worker tells it where it has to make the bundle, which takes seconds.
        expect(stderr).toContain('Worker state changed');
        expect(stderr).not.toContain('Workflow bundle created');
        // The turn that the installed package ran, read and replayed by its command: there, too, npm installs protobufjs
        // more than once.
        const { reply } = JSON.parse(stdout) as { reply: { workflowId: string } };
        writeFileSync(join(project.path, 'turn.json'), await exportHistory(reply.workflowId));
        const replayed = await project.sendonce(['replay', 'turn.json', '--workflows', 'own-workflows.mjs']);
        expect(replayed).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/\nok +\d+ +turn\.json\n$/) });
        const shown = await project.sendonce(['ops', 'show', 'refund-7'], serversOf(own));
        expect(shown.stdout).toContain('state        confirmed, settled by its answer');
      },
      RUN_MS,
    );
  });

  test('the command "sendonce" is there and can be executed', async () => {
    const { version } = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as { version: string };
    expect(await project.sendonce(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  // Our declarations are checked, too, but once only, as it takes long. Not with `node16`: it does not know that Node 22
  // lets CommonJS load `ai`, an ES module, and says so of every declaration that names its types. They still arrive.
  test.each([
    ['nodenext', 'nodenext', false],
    ['node16', 'node16', true],
    ['esnext', 'bundler', true],
  ])(
    'TypeScript, module %s with moduleResolution %s: a tool of its own compiles',
    async (module, resolution, skipLibCheck) => {
      const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--types', 'node'];
      const resolving = ['--module', module, '--moduleResolution', resolution, '--skipLibCheck', String(skipLibCheck)];
      const { stdout } = await project.node([TYPESCRIPT, ...options, ...resolving, 'tool.ts']);
      // Errors in declarations of other packages are theirs.
      expect(stdout.split('\n').filter((line) => /^tool\.ts|node_modules\/sendonce\/|^error/.test(line))).toEqual([]);
    },
    RUN_MS,
  );

  test(
    'a file with the workflows of the package and one of its own can be bundled',
    async () => {
      const bundle = `
        const { bundleWorkflowCode, DefaultLogger } = require('@temporalio/worker');
        bundleWorkflowCode({ workflowsPath: require.resolve('./own-workflows.mjs'), logger: new DefaultLogger('ERROR') })
          .then(({ code }) => console.log(['agentTurn', 'dunning'].filter((name) => code.includes(name)).join()));`;
      expect(await project.node(['-e', bundle])).toEqual({ code: 0, stdout: 'agentTurn,dunning\n', stderr: '' });
    },
    RUN_MS,
  );
});

function installed(file: string): string {
  return join(project.path, 'node_modules', 'sendonce', file);
}

function serversOf({ url }: TestDatabase): Record<string, string> {
  return { DATABASE_URL: url, TEMPORAL_ADDRESS: process.env['SENDONCE_TEST_TEMPORAL_ADDRESS'] ?? '' };
}
