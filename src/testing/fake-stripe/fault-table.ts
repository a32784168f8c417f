import { ArmedFault } from './armed-fault';
import { parseFault } from './parse-fault';

/** The armed faults, in the order they were armed. They are commands and no data: a restart forgets them. */
export class FaultTable {
  readonly #armed: ArmedFault[] = [];

  arm(value: unknown): ArmedFault {
    const armed = new ArmedFault(this.#armed.length + 1, parseFault(value));
    this.#armed.push(armed);
    return armed;
  }

  /** The fault this request meets, counted as met; null for none. */
  take(route: string, key: string | null): ArmedFault | null {
    return this.#armed.find((armed) => armed.meets(route, key)) ?? null;
  }

  disarmAll(): void {
    for (const armed of this.#armed) armed.disarm();
  }

  releaseAll(): void {
    for (const armed of this.#armed) armed.release();
  }

  abandonAll(): void {
    for (const armed of this.#armed) armed.abandon();
  }
}
