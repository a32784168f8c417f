import { listPauses, type PauseSummary } from '../../ledger/pauses';
import { entry, timeText } from '../ops/operation-text';
import { withLedger } from '../ops/with-ledger';
import { print, textWidth } from '../print';
import { pauseJson } from './pause-json';

/** `sendonce pauses`. */
export async function listPaused({ json }: { readonly json?: true }): Promise<void> {
  const pauses = await withLedger(listPauses);
  if (json) return print(JSON.stringify({ pauses: pauses.map(pauseJson) }));
  if (pauses.length === 0) return print('Nothing is paused.');
  print(pauses.map((pause) => story(pause, textWidth())).join('\n\n'));
}

function story({ kind, name, by, note, since, waiting }: PauseSummary, width: number): string {
  const facts: readonly (readonly [string, string])[] = [
    ['since', `${timeText(since)} UTC, by ${by}`],
    ['note', note],
    ['waiting', `${waiting} ${waiting === 1 ? 'operation' : 'operations'}`],
  ];
  return [`${kind} ${name}`, ...facts.flatMap(([title, text]) => entry(title.padEnd(13), text, width))].join('\n');
}
