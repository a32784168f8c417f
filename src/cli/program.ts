import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { isSchemaName } from '../ledger/database';
import { addOperationCommands } from './operation-commands';
import { parseCount } from './parse-count';
import { parseText } from './parse-text';
import { addPauseCommands } from './pause-commands';
import type { ReplayOptions } from './replay/replay';

const SETTINGS = `
Settings come from the environment:
  DATABASE_URL         postgres://user:password@host:5432/database
  SENDONCE_SCHEMA      the ledger's schema, sendonce unless set
  SENDONCE_POOL_SIZE   connections to the database, 10 unless set
  TEMPORAL_ADDRESS     host:port, 127.0.0.1:7233 unless set
  TEMPORAL_…           the other variables, and profiles, of Temporal's tools`;

/** The port of Stripe's own examples of webhook endpoints. */
const DEFAULT_WEBHOOK_PORT = 4242;

/** All commands. Each loads its code only when it runs: help is there at once, and needs no peer. */
export function makeProgram(): Command {
  const program = new Command('sendonce')
    .description('Tool calls of agents as operations, each sent once.')
    .version(version(), '--version', 'the version of the package')
    .helpOption('--help', 'this')
    .helpCommand(false)
    // Before a command --version is the package's; an operation's version goes after `ops resolve`.
    .enablePositionalOptions()
    .exitOverride()
    // What went wrong is told by main, in one line.
    .configureOutput({ outputError: () => undefined })
    .addHelpText('after', SETTINGS);
  addServerCommands(program);
  addOperationCommands(program);
  addPauseCommands(program);
  return program;
}

function addServerCommands(program: Command): void {
  program
    .command('migrate')
    .summary("bring the ledger's schema to this release")
    .description("Bring the ledger's schema to this release. Safe to run from several places at once.")
    .option('--schema <name>', 'instead of SENDONCE_SCHEMA', parseSchema)
    .action(async (options: { schema?: string }) => (await import('./migrate.js')).migrateSchema(options));
  program
    .command('setup')
    .summary("register search attributes on Temporal's namespace")
    .description("Register the search attributes of turns on Temporal's namespace. Turns run without them, too.")
    .action(async () => (await import('./set-up-namespace.js')).setUpNamespace());
  program
    .command('worker')
    .summary('run a worker')
    .description(
      'Run a worker until SIGTERM or Ctrl-C; then it takes no more work and lets running calls finish. ' +
        'Exit code 0 after that, 1 if it could not start or broke.',
    )
    .requiredOption('--tools <file>', 'a module that exports "worker": the options of startWorker')
    .action(async (options: { tools: string }) => (await import('./run-worker.js')).runWorker(options));
  program
    .command('webhooks')
    .summary('take the webhooks of providers')
    .description(
      'Take the webhooks of providers until SIGTERM or Ctrl-C, and record what they tell of operations. Needs no ' +
        'Temporal. Exit code 0 after a drain, 1 if it could not start.',
    )
    .requiredOption('--tools <file>', 'a module that exports "worker", of which tools and settings are read')
    .option('--port <number>', 'where to listen', parsePort, DEFAULT_WEBHOOK_PORT)
    .option('--host <address>', 'on which address', '127.0.0.1')
    .action(async (options: { tools: string; port: number; host: string }) =>
      (await import('./run-webhooks.js')).runWebhooks(options),
    );
  program
    .command('replay')
    .summary('replay histories of workflows on the code as it is')
    .description(
      'Replay histories of workflows on the code as it is, to see that running turns survive a release. ' +
        'Exit code 1 if one does not replay.',
    )
    .argument(
      '[files...]',
      "histories as JSON, or folders of them: of --save, temporal workflow show --output json, or Temporal's UI",
    )
    .option('--workflow-id <id>', 'a workflow of the server; may be repeated', collect)
    .option('--recent [number]', 'the latest workflows of the task queue; 20 unless told', parseCount)
    .option('--task-queue <name>', "where --recent looks; the worker's of --tools, or sendonce", parseText)
    .option('--workflows <file>', "your own file of workflows, instead of the package's")
    .option('--tools <file>', 'a module that exports "worker", for its workflows, data converter and task queue')
    .option('--save <folder>', 'also write what was found there, for a later replay', parseText)
    .action(async (files: string[], options: Omit<ReplayOptions, 'files'>) =>
      (await import('./replay/replay.js')).replay({ files, ...options }),
    );
}

function version(): string {
  const text = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function parsePort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new InvalidArgumentError('Give a port, 0 to 65535; 0 takes a free one.');
  }
  return Number(value);
}

function parseSchema(value: string): string {
  if (!isSchemaName(value)) {
    throw new InvalidArgumentError('Give lower-case letters, digits and _, with no digit first.');
  }
  return value;
}
