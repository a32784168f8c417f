import { type Ledger, type LedgerRead, type LedgerSave, ledgerRead, type OperationRef } from '../ledger/ledger';
import type { Recorded } from '../operations/event';
import type { Pause } from '../operations/pause';
import type { Instant } from '../operations/time';

/**
 * The ledger's in-memory twin: the same promises as the Postgres one (one conformance suite runs over both), for tests
 * and for the explorer. Its clock stands still until it is told to go on.
 */
export class InMemoryLedger implements Ledger {
  readonly #histories = new Map<string, readonly Recorded[]>();
  #now: Instant;
  /** What is paused, as `Ledger.load` gives it. */
  pauses: readonly Pause[] = [];

  constructor(now: Instant = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  get now(): Instant {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  read(ref: OperationRef): LedgerRead {
    return ledgerRead(this.#now, this.#histories.get(keyOf(ref)) ?? [], this.pauses);
  }

  write({ before, events, ...ref }: LedgerSave): { readonly at: Instant } | null {
    const history = this.#histories.get(keyOf(ref)) ?? [];
    if (history.length !== before.length) return null;
    // Through JSON, as the Postgres ledger does, so that nothing passes here that would not survive there.
    const plain: readonly LedgerSave['events'][number][] = JSON.parse(JSON.stringify(events));
    const { now: at } = ledgerRead(this.#now, history);
    const recorded = plain.map((event, index) => ({ ...event, seq: history.length + index + 1, at }));
    this.#histories.set(keyOf(ref), [...history, ...recorded]);
    return { at };
  }

  async load(ref: OperationRef): Promise<LedgerRead> {
    return this.read(ref);
  }

  async save(save: LedgerSave): Promise<{ readonly at: Instant } | null> {
    return this.write(save);
  }
}

function keyOf({ tenant, operationId }: OperationRef): string {
  return JSON.stringify([tenant, operationId]);
}
