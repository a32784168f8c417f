/** A line (or several) of the command's result. Progress and errors go to stderr. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** As `print`, and the end of the process: a user's module that was loaded may hold connections open for ever. */
export async function printLast(text: string): Promise<never> {
  await new Promise<void>((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
  process.exit(0);
}

/** For people: of the terminal, and the usual width where there is none. */
export function textWidth(): number {
  return Math.max(process.stdout.columns ?? 80, 40);
}

/**
 * `sendonce … | head` closes our stdout early: nobody reads on, so that is an end like any other. A worker writes to
 * stderr alone, and goes on when that is closed. A full disk is an error: the result is not there.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`sendonce: the result could not be written (${error.message}).\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => undefined);
}
