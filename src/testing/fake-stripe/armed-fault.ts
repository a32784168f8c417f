import type { Fault, FaultRoute } from './fault';

/** The fake was closed while a request was held. It executes nothing any more. */
export class FakeClosedError extends Error {
  readonly code = 'FAKE_STRIPE_CLOSED';
  override readonly name = 'FakeClosedError';
}

/** A fault on duty, from `arm` on. */
export class ArmedFault {
  readonly id: number;
  readonly fault: Fault;
  /** Resolves when the fault meets its first request; for one that holds, when it holds it: never where none gets there. */
  readonly firstHit: Promise<void>;
  readonly #held = new Set<{ resume(): void; fail(error: Error): void }>();
  #end: 'released' | 'abandoned' | null = null;
  #reportFirstHit: () => void = () => {};
  #left: number;
  #skip: number;
  #firstKey: string | null = null;
  #hits = 0;

  constructor(id: number, fault: Fault) {
    this.id = id;
    this.fault = fault;
    this.#left = fault.forFirstKey === true ? Number.POSITIVE_INFINITY : (fault.times ?? 1);
    this.#skip = fault.skip ?? 0;
    this.firstHit = new Promise((resolve) => {
      this.#reportFirstHit = resolve;
    });
  }

  /** How many requests it has met. */
  get hits(): number {
    return this.#hits;
  }

  /** How many requests it holds back now. */
  get holding(): number {
    return this.#held.size;
  }

  /** Meets no further request. What it holds stays held. */
  disarm(): void {
    this.#left = 0;
  }

  /** Lets go of what it holds, and meets no further request. */
  release(): void {
    this.disarm();
    this.#end = 'released';
    for (const held of this.#held) held.resume();
    this.#held.clear();
  }

  /** Whether this request is one for it; if so it counts as met. */
  meets(route: string, key: string | null): boolean {
    if (this.#left === 0 || !this.#fits(route, key)) return false;
    if (this.#skip > 0) {
      this.#skip--;
      return false;
    }
    if (this.fault.forFirstKey === true) this.#firstKey = key;
    this.#left--;
    this.#hits++;
    if (!this.fault.kind.startsWith('hold-')) this.#reportFirstHit();
    return true;
  }

  /** Waits for `release`. Rejects with `FakeClosedError` when the fake closes first. */
  async hold(): Promise<void> {
    // A request met earlier may get here only after the release.
    if (this.#end === 'released') return;
    if (this.#end === 'abandoned') throw new FakeClosedError('The fake Stripe was closed.');
    await new Promise<void>((resume, fail) => {
      this.#held.add({ resume, fail });
      this.#reportFirstHit();
    });
  }

  abandon(): void {
    this.disarm();
    this.#end = 'abandoned';
    for (const held of this.#held) held.fail(new FakeClosedError('The fake Stripe was closed.'));
    this.#held.clear();
  }

  #fits(route: string, key: string | null): boolean {
    const wanted: FaultRoute = this.fault.route;
    if (wanted !== 'any' && wanted !== route) return false;
    if (this.fault.forFirstKey === true) return key !== null && (this.#firstKey === null || this.#firstKey === key);
    return this.fault.key === undefined || this.fault.key === key;
  }
}
