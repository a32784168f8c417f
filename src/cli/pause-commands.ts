import type { Command } from 'commander';
import { parseText } from './parse-text';
import type { PauseOptions } from './pauses/pause';
import type { ResumeOptions } from './pauses/resume';

/** `sendonce pause`, `resume` and `pauses`. */
export function addPauseCommands(program: Command): void {
  program
    .command('pause')
    .summary('let a tool or a provider send nothing')
    .description(
      'Let a tool or a provider send nothing until it is resumed. Calls are told that they wait; queries and webhooks ' +
        'go on. What was decided just before may still leave. Pausing what is paused changes nothing, exit code 0.',
    )
    .option('--tool <name>', 'one tool', parseText)
    .option('--provider <name>', 'all its tools, for example stripe.refunds', parseText)
    .requiredOption('--by <name>', 'who pauses it')
    .requiredOption('--note <text>', 'why')
    .option('--tools <file>', 'a module that exports "worker": a name that is not in it is refused')
    .option('--json', 'one object: the pause, and "isNew"')
    .action(async (options: PauseOptions) => (await import('./pauses/pause.js')).pauseSends(options));
  program
    .command('resume')
    .summary('let it send again')
    .description(
      'End a pause. What waited is due at once, and reconciliation sends it. Resuming what is not paused changes ' +
        'nothing, exit code 0.',
    )
    .option('--tool <name>', 'one tool', parseText)
    .option('--provider <name>', 'all its tools', parseText)
    .option('--tools <file>', 'a module that exports "worker": a name that is neither paused nor in it is refused')
    .option('--json', 'one object: { "resumed": the pause or null, "waiting": how many }')
    .action(async (options: ResumeOptions) => (await import('./pauses/resume.js')).resumeSends(options));
  program
    .command('pauses')
    .summary('list what is paused')
    .description('List what is paused, by whom and why, and how many operations wait for it.')
    .option('--json', 'one object: { "pauses": […] }')
    .action(async (options: { json?: true }) => (await import('./pauses/list-pauses.js')).listPaused(options));
}
