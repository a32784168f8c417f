/** The command cannot be carried out as it was given. The message is all that its user sees, and says what to do. */
export class CommandError extends Error {
  readonly code = 'SENDONCE_COMMAND';
  override readonly name = 'CommandError';
}
