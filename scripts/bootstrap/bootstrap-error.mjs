/** Something a person can act on; the message is all they see. Anything else is a bug and shows its stack. */
export class BootstrapError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
