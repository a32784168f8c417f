import type { OperationDetail } from '../../ledger/read-operation';
import type { Recorded } from '../../operations/event';
import { eventText } from '../../operations/event-text';
import { wrapText } from '../wrap-text';
import { isoTime } from './operation-json';

/** The name once, and the lines of a longer text below each other. */
export function entry(name: string, text: string, width: number): string[] {
  return wrapText(text, width - name.length).map(
    (line, index) => (index === 0 ? name : ' '.repeat(name.length)) + line,
  );
}

/** Events in words, each with the ledger's time of its commit. `history`: all of the operation's. */
export function eventLines(events: readonly Recorded[], history: readonly Recorded[], width: number): string[] {
  return events.flatMap((event) => entry(`${timeText(event.at)}  `, eventText(event, history), width));
}

export function timeText(instant: number): string {
  return isoTime(instant).replace('T', ' ').replace('Z', '');
}

export function stateText({ state, resolvedBy }: Pick<OperationDetail, 'state' | 'resolvedBy'>): string {
  return resolvedBy === null ? state : `${state}, settled by ${RESOLVED_BY[resolvedBy]}`;
}

const RESOLVED_BY: Readonly<Record<NonNullable<OperationDetail['resolvedBy']>, string>> = {
  answer: 'its answer',
  query: 'a query',
  webhook: 'a webhook',
  fence: 'a fence',
  person: 'a person',
};
