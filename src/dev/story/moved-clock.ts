interface Move {
  /** On this machine's clock. */
  readonly at: number;
  /** How far the ledger is ahead from then on. */
  readonly aheadMs: number;
}

/** Tells when something happened for whoever watches, though the ledger's clock, by which it was noted, was moved. */
export class MovedClock {
  readonly #moves: Move[];

  /** `aheadMs`: how far the ledger is ahead before the first move. */
  constructor(aheadMs: number) {
    this.#moves = [{ at: Number.NEGATIVE_INFINITY, aheadMs }];
  }

  /** The ledger's clock was moved at this moment. */
  moved(at: number, byMs: number): void {
    this.#moves.push({ at, aheadMs: (this.#moves.at(-1)?.aheadMs ?? 0) + byMs });
  }

  /** Times that a move jumped over are those of the move. */
  realTimeOf(ledgerTime: number): number {
    let real = ledgerTime;
    for (const { at, aheadMs } of this.#moves) {
      if (ledgerTime - aheadMs < at) return Math.min(real, at);
      real = ledgerTime - aheadMs;
    }
    return real;
  }
}
