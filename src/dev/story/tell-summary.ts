import type { Recorded } from '../../operations/event';
import { eventText } from '../../operations/event-text';
import type { SendFate } from '../../testing/fake-stripe/send';
import type { Counted } from '../scenarios/run-result';
import type { Run } from '../scenarios/run-scenario';
import { formatAmount } from '../shop/order';
import { operationName } from './operation-name';
import type { Teller } from './teller';

/** Where the fake's own word for what became of a request says less to people. */
const FATE_TEXTS: Partial<Record<SendFate, string>> = { error: 'nothing was made' };

/** How a run ended: counted at the provider, then told from the ledger. */
export function tellSummary(teller: Teller, { counted, histories }: Run): void {
  const { effects, sends } = counted;
  teller.heading(`At the provider: ${count(effects.length, 'refund')}, ${count(sends.length, 'request')} to make one`);
  for (const { id, amount, currency, status } of effects) {
    teller.detail(`${id}  ${formatAmount(amount, currency)}  ${status}`, true);
  }
  sends.forEach(({ key, fate, refund, status, answerLeft }, index) => {
    const made = refund === null ? (FATE_TEXTS[fate] ?? fate) : `${fate}, made ${refund}`;
    teller.detail(`request ${index + 1}: key ${key ?? 'none'}`, true);
    teller.detail(`           ${made}, ${answerLeft ? `answered ${status}` : 'the answer never left'}`, true);
  });
  for (const { tenant, id, operation, events } of histories) {
    const number = operation.externalId === null ? '' : `, ${operation.externalId}`;
    teller.heading(`Operation ${operationName(tenant, id)}: ${operation.state}${number}`);
    // Whoever has it before them needs the reason first.
    if (operation.state === 'escalated' && operation.reason !== null) teller.detail(operation.reason);
    const from = isOfOneDay(events) ? 11 : 5;
    for (const event of events) {
      teller.entry(new Date(event.at).toISOString().slice(from, 23).replace('T', ' '), eventText(event, events));
    }
  }
}

/** Only where clocks were moved, or at midnight, the day has to be told. */
function isOfOneDay(events: readonly Recorded[]): boolean {
  return new Set(events.map(({ at }) => new Date(at).toISOString().slice(0, 10))).size <= 1;
}

/** Where the turn can be looked at, for as long as the servers stay up. */
export function tellTemporalUi(teller: Teller, { temporalUi }: Run['result']): void {
  if (temporalUi === '') return;
  teller.heading('In Temporal’s UI');
  teller.detail(temporalUi, true);
}

/** The keys of the tool as commonly written beside ours: letters for keys in the order they came. */
export function tellKeys(teller: Teller, naive: Counted, ours: Counted): void {
  teller.heading('Keys that were sent');
  tellKeysOf(teller, 'as commonly written', naive);
  tellKeysOf(teller, 'sendonce', ours);
}

function tellKeysOf(teller: Teller, who: string, { sends }: Counted): void {
  const keys = sends.map((send) => send.key);
  const letters = new Map([...new Set(keys)].map((key, index) => [key, String.fromCharCode(65 + index)]));
  teller.detail(`${who}: ${keys.map((key) => letters.get(key)).join(', ')}`);
  for (const [key, letter] of letters) teller.detail(`  ${letter} = ${key ?? 'none'}`, true);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
