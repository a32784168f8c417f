/** Nothing that could be paused or resumed was named, or nobody who wants it. Nothing was changed. */
export class PauseInvalidError extends Error {
  readonly code = 'SENDONCE_PAUSE_INVALID';
  override readonly name = 'PauseInvalidError';
}
