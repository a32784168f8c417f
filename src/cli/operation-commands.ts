import { type Command, InvalidArgumentError, Option } from 'commander';
import { STATES, type State } from '../operations/state';
import type { Duration } from '../operations/time';
import type { RedoOptions } from './ops/redo-operation';
import type { ResolveOptions } from './ops/resolve-operation';
import { parseAge } from './parse-age';
import { parseCount } from './parse-count';
import { parseText } from './parse-text';
import { parseTime } from './parse-time';

/** `sendonce ops …`: for people who look after operations. */
export function addOperationCommands(program: Command): void {
  const ops = program
    .command('ops')
    .description('See what became of operations, and decide what nothing else can.')
    .helpCommand(false);
  ops
    .command('list')
    .description('List operations, the newest first.')
    .addOption(new Option('--state <state>', `one of ${STATES.join(', ')}; may be repeated`).argParser(collectState))
    .option('--provider <name>', 'as its operations name it, for example stripe.refunds', parseText)
    .option('--tenant <name>', '', parseText)
    .option('--tool <name>', '', parseText)
    .option('--older-than <age>', 'registered at least so long ago: 90s, 15m, 1h, 2d', parseAge)
    .option('--limit <number>', 'how many, 50 unless told', parseCount)
    .option('--after <cursor>', 'the next page: what the page before told')
    .option('--json', 'one object: { "operations": […], "next": cursor or null }')
    .action(async (options: ListOptions) => (await import('./ops/list-operations.js')).listOperations(options));
  ops
    .command('show')
    .description('Show one operation, with all that happened to it.')
    .argument('<id>', 'the operation ID', parseText)
    .option('--tenant <name>', 'whose, where several tenants have the ID', parseText)
    .option('--json', 'one object, its events with all they hold')
    .action(async (operationId: string, options: { tenant?: string; json?: true }) =>
      (await import('./ops/show-operation.js')).showOperation({ operationId, ...options }),
    );
  ops
    .command('check')
    .summary('ask the provider now')
    .description(
      'Ask the provider now what became of an operation, in whatever state it is, and record what it tells. ' +
        'Sends nothing.',
    )
    .argument('<id>', 'the operation ID', parseText)
    .requiredOption('--tools <file>', 'a module that exports "worker", as sendonce worker takes it')
    .option('--tenant <name>', 'whose, where several tenants have the ID', parseText)
    .option('--json', 'one object: { "before": …, "after": …, "evidence": […] }')
    .action(async (operationId: string, options: { tools: string; tenant?: string; json?: true }) =>
      (await import('./ops/check-operation.js')).checkOperation({ operationId, ...options }),
    );
  ops
    .command('resolve')
    .summary("record a person's word")
    .description(
      "Record a person's word on an operation that nothing automatic can settle. Sends nothing. " +
        'Exit code 1 where the word is refused: then nothing is changed, and newer evidence is shown.',
    )
    .argument('<id>', 'the operation ID', parseText)
    .addOption(
      new Option('--as <verdict>', 'confirmed: the effect exists; rejected: none does, and none can come')
        .choices(['confirmed', 'rejected'])
        .makeOptionMandatory(),
    )
    .option('--external-id <number>', "with confirmed: the provider's number for the effect")
    .option('--allow-resend', 'with rejected: a call planned later may do it after all')
    .requiredOption('--by <name>', 'who says so')
    .requiredOption('--note <text>', 'why')
    .requiredOption('--version <number>', 'the version you saw, as ops show tells it', parseVersion)
    .option('--looked-at <time>', 'where the provider cannot be asked: when you looked there', parseTime)
    .option('--tools <file>', "tells whether the tool's provider can be asked; taken for granted without it")
    .option('--tenant <name>', 'whose, where several tenants have the ID', parseText)
    .option('--json', 'one object: the operation with its events, or why it is refused')
    .action(async (operationId: string, options: Omit<ResolveOptions, 'operationId'>) =>
      (await import('./ops/resolve-operation.js')).resolveOperation({ operationId, ...options }),
    );
  ops
    .command('redo')
    .summary('have an effect once more, under a new ID')
    .description(
      "Register an operation's stored request once more, as an operation with an ID of its own: a deliberate second " +
        'effect. Sends nothing itself: reconciliation does. Exit code 1 where it is refused, with nothing registered.',
    )
    .argument('<id>', 'the operation ID', parseText)
    .requiredOption('--id <id>', 'of the new operation: one that no tool computes', parseText)
    .requiredOption('--by <name>', 'who wants it')
    .requiredOption('--note <text>', 'why')
    .requiredOption('--tools <file>', 'a module that exports "worker", as sendonce worker takes it')
    .option('--tenant <name>', 'whose, where several tenants have the ID', parseText)
    .option('--json', 'one object: the new operation with its events, and "isNew"; or why it is refused')
    .action(
      async (operationId: string, { id, ...options }: Omit<RedoOptions, 'operationId' | 'newId'> & { id: string }) =>
        (await import('./ops/redo-operation.js')).redoOperation({ operationId, newId: id, ...options }),
    );
}

interface ListOptions {
  readonly state?: readonly State[];
  readonly provider?: string;
  readonly tenant?: string;
  readonly tool?: string;
  readonly olderThan?: Duration;
  readonly limit?: number;
  readonly after?: string;
  readonly json?: true;
}

function collectState(value: string, earlier: readonly State[] = []): readonly State[] {
  const state = STATES.find((one) => one === value);
  if (state === undefined) throw new InvalidArgumentError(`Give one of ${STATES.join(', ')}.`);
  return [...earlier, state];
}

function parseVersion(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Give the number that ops show tells as version.');
  return Number(value);
}
