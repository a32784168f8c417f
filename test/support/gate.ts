/** A place at which code under test stops until the test lets it go on. Once open it stays open. */
export class Gate {
  /** Ends when somebody stands before the gate for the first time. */
  readonly reached: Promise<void>;
  readonly #opened: Promise<void>;
  #arrive: () => void = () => undefined;
  #open: () => void = () => undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#arrive = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  /** For the code that is held. */
  async pass(): Promise<void> {
    this.#arrive();
    await this.#opened;
  }

  open(): void {
    this.#open();
  }
}
