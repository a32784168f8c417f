import { parseArgs } from 'node:util';
import { ArgumentError } from './argument-error';
import type { Scenario } from './scenarios/scenario';
import { DEFAULT_SCENARIO, SCENARIOS } from './scenarios/scenarios';
import type { WorkerConfig } from './workers/worker-config';

export interface Arguments {
  readonly list: boolean;
  readonly help: boolean;
  readonly once: boolean;
  readonly json: boolean;
  readonly scenario: Scenario;
  readonly tool: WorkerConfig['tool'];
}

export const USAGE = `npm start -- [options]

  (none)             the story, then everything stays up until Ctrl-C
  --scenario NAME    another scenario than ${DEFAULT_SCENARIO}
  --once             one run on data of its own, then stop
  --json             as --once; the last line of stdout is the run as JSON,
                     the story goes to stderr
  --naive [run-id]   the refund tool as commonly written;
                     run-id: with Temporal's documented key
                     (what a scenario has none for, it says)
  --list             the scenarios
  --help             this`;

/** Throws ArgumentError. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const name = values.scenario ?? DEFAULT_SCENARIO;
  const scenario = SCENARIOS.find((candidate) => candidate.name === name);
  if (!scenario) {
    throw new ArgumentError(
      `There is no scenario ${JSON.stringify(name)}. Choose one of ${SCENARIOS.map((one) => one.name).join(', ')}.`,
    );
  }
  const tool = toolOf(values.naive, positionals);
  if (tool !== 'guarded' && 'unplayable' in scenario.naive) {
    throw new ArgumentError(`The scenario ${name} has no --naive: ${scenario.naive.unplayable}.`);
  }
  const { list = false, help = false, json = false } = values;
  return { list, help, json, once: values.once === true || json, scenario, tool };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        scenario: { type: 'string' },
        once: { type: 'boolean' },
        json: { type: 'boolean' },
        naive: { type: 'boolean' },
        list: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new ArgumentError(`${error instanceof Error ? error.message : String(error)} See --help.`);
  }
}

/** `--naive run-id` is an option with an optional word; the word is what is left over. */
function toolOf(naive: boolean | undefined, [word, ...more]: readonly string[]): WorkerConfig['tool'] {
  if (naive === true && more.length === 0) {
    if (word === undefined) return 'automatic';
    if (word === 'run-id') return 'run-id';
  }
  if (word !== undefined) throw new ArgumentError(`What is ${JSON.stringify(word)}? See --help.`);
  return 'guarded';
}
