export interface StopSteps {
  /** At the first SIGTERM or Ctrl-C. */
  readonly first: (signal: string) => void;
  /** At every further one: without a handler it would end the process at once. */
  readonly again: () => void;
}

/** What the process does when it is asked to stop. */
export function onStopSignal({ first, again }: StopSteps): void {
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) return again();
      asked = true;
      first(signal);
    });
  }
}
