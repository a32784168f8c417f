/** Progress and errors, one line each, never on stdout. */
export function say(line) {
  process.stderr.write(`sendonce: ${line}\n`);
}
