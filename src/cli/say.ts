/** A line of progress, to stderr: results alone go to stdout. */
export function say(line: string): void {
  process.stderr.write(`sendonce: ${line}\n`);
}
