import { pause as begin } from '../../ledger/pauses';
import { timeText } from '../ops/operation-text';
import { withLedger } from '../ops/with-ledger';
import { printLast } from '../print';
import { pauseJson } from './pause-json';
import { checkTarget, type PauseTarget, pauseOf, warnOfUnusedName } from './what-is-paused';

export interface PauseOptions extends PauseTarget {
  readonly by: string;
  readonly note: string;
  readonly json?: true;
}

/** `sendonce pause`. Throws CommandError or PauseInvalidError. */
export async function pauseSends({ by, note, json, ...target }: PauseOptions): Promise<never> {
  const named = pauseOf(target);
  await checkTarget(named, target.tools);
  const { pause, isNew } = await withLedger(async (database) => {
    const end = await begin(database, { ...named, by, note });
    await warnOfUnusedName(database, named, target);
    return end;
  });
  if (json) return printLast(JSON.stringify({ pause: pauseJson(pause), isNew }));
  const what = `The ${pause.kind} ${pause.name}`;
  return printLast(
    isNew
      ? `${what} is paused. End it with sendonce resume --${pause.kind} ${pause.name}.`
      : `${what} is paused already, since ${timeText(pause.since)} UTC by ${pause.by}: ${pause.note}`,
  );
}
