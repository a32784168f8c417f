import type { Database } from '../../ledger/database';
import { isNameInUse } from '../../ledger/pauses';
import type { Pause } from '../../operations/pause';
import { CommandError } from '../command-error';
import { say } from '../say';
import { loadWorkerModule, type WorkerModule } from '../worker-module';

/** A tool or a provider as people name it. */
export interface PauseTarget {
  readonly tool?: string;
  readonly provider?: string;
  /** The file that tells which there are. */
  readonly tools?: string;
}

/** Throws CommandError unless one is named. */
export function pauseOf({ tool, provider }: PauseTarget): Pause {
  if (tool !== undefined && provider === undefined) return { kind: 'tool', name: tool };
  if (provider !== undefined && tool === undefined) return { kind: 'provider', name: provider };
  throw new CommandError('Name one: --tool NAME or --provider NAME.');
}

/** Throws CommandError for a name that the file does not have. */
export async function checkTarget(pause: Pause, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const names = namesOf((await loadWorkerModule(file)).tools, pause.kind);
  if (names.includes(pause.name)) return;
  const known = names.length === 0 ? 'It has none.' : `There are: ${names.join(', ')}.`;
  throw new CommandError(`${file} has no ${pause.kind} ${pause.name} that sends. ${known}`);
}

/** Read-only tools send nothing, so there is nothing to pause. */
function namesOf(tools: WorkerModule['tools'], kind: Pause['kind']): readonly string[] {
  const names = tools.flatMap((tool) =>
    tool.kind !== 'operation' ? [] : [kind === 'tool' ? tool.name : tool.provider.name],
  );
  return [...new Set(names)];
}

/** A name may be new, so the ledger alone cannot refuse it. */
export async function warnOfUnusedName(database: Database, pause: Pause, { tools }: PauseTarget): Promise<void> {
  if (tools !== undefined || (await isNameInUse(database, pause))) return;
  say(
    `the ledger has no recent operation of the ${pause.kind} ${pause.name}. Is the name right? ` +
      'With --tools FILE it is checked.',
  );
}
