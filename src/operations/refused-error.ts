/**
 * Thrown by `resolve`, `request` or a provider's `encode` to refuse a call before anything is registered or sent. The
 * model reads the message (`invalid_input`), so it must say the same for what is absent and for what is somebody else's.
 * It does not mean that the provider refused: that is the outcome `rejected`.
 */
export class RefusedError extends Error {
  readonly code = 'SENDONCE_REFUSED';
  override readonly name = 'RefusedError';
}
