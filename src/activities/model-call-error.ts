import type { ModelFailure } from './model-failure';

/**
 * The model's endpoint gave no answer. It does not mean that anything was or was not done by tools. Its words may be
 * shown in histories: status and IDs for support, no key, and no more than a piece of the prompt.
 */
export class ModelCallError extends Error {
  readonly code = 'SENDONCE_MODEL_CALL';
  override readonly name = 'ModelCallError';
  constructor(
    readonly failure: ModelFailure,
    /** What this send carried as `X-Client-Request-Id`. */
    readonly clientRequestId: string,
    /** For whoever catches it in this process; it quotes the whole request, so it never leaves it. */
    override readonly cause?: unknown,
  ) {
    super(`The model gave no answer: ${described(failure)} (${idsOf(failure, clientRequestId)})`, { cause });
  }
}

function described({ status, words }: ModelFailure): string {
  return status === null ? words : `HTTP ${status}: ${words}`;
}

function idsOf({ requestId }: ModelFailure, clientRequestId: string): string {
  const ours = `X-Client-Request-Id ${clientRequestId}`;
  return requestId === null ? ours : `request ID ${requestId}, ${ours}`;
}
