/**
 * An operation cannot be done once more, or not under this ID. Nothing was registered, and nothing is sent. It does not
 * mean that the original had no effect.
 */
export class RedoRefusedError extends Error {
  readonly code = 'SENDONCE_REDO_REFUSED';
  override readonly name = 'RedoRefusedError';
  constructor(
    readonly operationId: string,
    /** The ID that the new operation should have had. */
    readonly id: string,
    why: string,
  ) {
    super(why);
  }
}
