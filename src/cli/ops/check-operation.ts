import { checkOperation as check } from '../../client/check-operation';
import type { OperationDetail } from '../../ledger/read-operation';
import type { Recorded } from '../../operations/event';
import { CommandError } from '../command-error';
import { printLast, textWidth } from '../print';
import { loadWorkerModule } from '../worker-module';
import { eventJson, operationJson } from './operation-json';
import { entry, eventLines, stateText } from './operation-text';
import { type NamedOperation, readNamed } from './which-operation';
import { withLedger } from './with-ledger';

interface CheckOptions extends NamedOperation {
  readonly tools: string;
  readonly json?: true;
}

/** `sendonce ops check`. Sends nothing. Throws CommandError where the provider cannot be asked. */
export async function checkOperation({ tools: file, json, ...named }: CheckOptions): Promise<never> {
  const { tools } = await loadWorkerModule(file);
  const result = await withLedger(async (database) => {
    const { ref } = await readNamed(database, named);
    return check(database, ref, tools);
  });
  if (result.kind === 'not-asked') throw new CommandError(result.why);
  const { before, after, news } = result;
  return printLast(json ? checkJson(before, after, news) : story(before, after, news, textWidth()));
}

function checkJson(before: OperationDetail, after: OperationDetail, news: readonly Recorded[]): string {
  const summary = ({ events: _events, ...fields }: OperationDetail) => operationJson(fields);
  return JSON.stringify({ before: summary(before), after: summary(after), evidence: news.map(eventJson) });
}

function story(before: OperationDetail, after: OperationDetail, news: readonly Recorded[], width: number): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['before', `${before.state}, version ${before.version}`],
    ['now', `${stateText(after)}, version ${after.version}`],
    ['reason', after.reason],
    ['external ID', after.externalId],
  ];
  const told = facts.flatMap(([name, value]) => (value === null ? [] : entry(name.padEnd(13), value, width)));
  const events = news.length === 0 ? ['The provider told nothing new.'] : eventLines(news, after.events, width);
  return [after.operationId, ...told, '', ...events].join('\n');
}
