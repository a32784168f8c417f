import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ReplayOn } from '../../replay/replay-histories';
import { CommandError } from '../command-error';
import type { WorkerModule } from '../worker-module';

interface ReplayAs {
  /** Of --workflows; it goes before what the worker names. */
  readonly workflows: string | undefined;
  /** Of --tools. */
  readonly worker: WorkerModule | null;
}

/** Of a worker's options what a replay needs: its workflows, and how its payloads are read. Throws CommandError. */
export function replayAs({ workflows, worker }: ReplayAs): ReplayOn {
  const { workflowsPath, workflowBundle, bundlerOptions, interceptors, sinks, plugins, ...options } =
    worker?.workerOptions ?? {};
  const dataConverter = options.dataConverter ?? worker?.dataConverter;
  return {
    ...(workflows === undefined ? given({ workflowsPath, workflowBundle }) : { workflowsPath: existing(workflows) }),
    ...given({ bundlerOptions, interceptors, sinks, plugins, dataConverter }),
  };
}

function given<Options extends object>(options: Options): { [Name in keyof Options]?: NonNullable<Options[Name]> } {
  const named = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as { [Name in keyof Options]?: NonNullable<Options[Name]> };
}

function existing(file: string): string {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`);
  return path;
}
