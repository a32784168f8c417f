import type { DownstreamFault, FaultScope, Treatment } from './downstream';

/** A fault that waits for its requests. */
export class ArmedTreatment implements Treatment {
  readonly fault: DownstreamFault;
  readonly met: Promise<void>;
  readonly #of: 'effect' | 'question';
  readonly #held = new Set<(end: 'released' | 'dropped') => void>();
  #tellMet: () => void = () => {};
  #end: 'released' | 'dropped' | null = null;
  #left: number;
  #skip: number;
  #hits = 0;

  constructor(fault: DownstreamFault, { of = 'effect', times = 1, skip = 0 }: FaultScope) {
    this.fault = fault;
    this.#of = of;
    this.#left = times;
    this.#skip = skip;
    this.met = new Promise((resolve) => {
      this.#tellMet = resolve;
    });
  }

  get hits(): number {
    return this.#hits;
  }

  /** Whether this request is one for it; if so it counts as met. */
  meets(of: 'effect' | 'question'): boolean {
    if (this.#of !== of || this.#left === 0) return false;
    if (this.#skip > 0) {
      this.#skip--;
      return false;
    }
    this.#left--;
    this.#hits++;
    if (!this.fault.kind.startsWith('hold-')) this.#tellMet();
    return true;
  }

  hold(): Promise<'released' | 'dropped'> {
    if (this.#end !== null) return Promise.resolve(this.#end);
    return new Promise((resolve) => {
      this.#held.add(resolve);
      this.#tellMet();
    });
  }

  release(): void {
    this.#letGo('released');
  }

  drop(): void {
    this.#letGo('dropped');
  }

  #letGo(end: 'released' | 'dropped'): void {
    this.#left = 0;
    this.#end ??= end;
    for (const resume of this.#held) resume(end);
    this.#held.clear();
  }
}
