/** The command line is wrong. Nothing was started or changed. */
export class ArgumentError extends Error {
  readonly code = 'SENDONCE_ARGUMENT';
  override readonly name = 'ArgumentError';
}
