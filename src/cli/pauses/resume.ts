import { listPauses, type PauseSummary, resume } from '../../ledger/pauses';
import type { Pause } from '../../operations/pause';
import { withLedger } from '../ops/with-ledger';
import { printLast } from '../print';
import { pauseJson } from './pause-json';
import { checkTarget, type PauseTarget, pauseOf, warnOfUnusedName } from './what-is-paused';

export interface ResumeOptions extends PauseTarget {
  readonly json?: true;
}

/** `sendonce resume`. Throws CommandError or PauseInvalidError. */
export async function resumeSends({ json, ...target }: ResumeOptions): Promise<never> {
  const named = pauseOf(target);
  const { resumed, waiting, others } = await withLedger(async (database) => {
    const end = await resume(database, named);
    // Only now: what was paused may be in no file any more.
    if (end.resumed === null) {
      await checkTarget(named, target.tools);
      await warnOfUnusedName(database, named, target);
    }
    return { ...end, others: await listPauses(database) };
  });
  if (json) return printLast(JSON.stringify({ resumed: resumed && pauseJson(resumed), waiting }));
  const told = resumed === null ? `The ${named.kind} ${named.name} is not paused.` : resumedText(named, waiting);
  return printLast(`${told}${othersText(others)}`);
}

function resumedText({ kind, name }: Pause, waiting: number): string {
  const what = `The ${kind} ${name} is resumed.`;
  if (waiting === 0) return `${what} Nothing waited.`;
  return `${what} ${waiting} ${waiting === 1 ? 'operation waits' : 'operations wait'}, and reconciliation sends now.`;
}

/** A tool sends nothing while its provider is paused, and a mistyped name is not among what is. */
function othersText(others: readonly PauseSummary[]): string {
  if (others.length === 0) return '';
  return ` Still paused: ${others.map(({ kind, name }) => `${kind} ${name}`).join(', ')}.`;
}
