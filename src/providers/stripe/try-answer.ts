import type { AnswerHeaders } from './single-try';

/** A whole answer in the form in which the SDK takes it from an HTTP client. */
export class TryAnswer {
  readonly #status: number;
  readonly #headers: AnswerHeaders;
  readonly #body: string;

  constructor(status: number, headers: AnswerHeaders, body: string) {
    this.#status = status;
    this.#headers = headers;
    this.#body = body;
  }

  getStatusCode(): number {
    return this.#status;
  }

  getHeaders(): Record<string, string | string[]> {
    return { ...this.#headers };
  }

  /** The SDK hangs its `lastResponse` on this. */
  getRawResponse(): object {
    return { statusCode: this.#status, headers: this.#headers };
  }

  toStream(): never {
    throw new Error('Bug: stripeRefunds streams nothing.');
  }

  async toJSON(): Promise<unknown> {
    return JSON.parse(this.#body);
  }
}

/**
 * Tells the SDK that its HTTP client has no answer for it. It does not say whether anything was sent: that is told by
 * the try. Its code is none of those on which the SDK sends again (stripe/stripe-node#2808).
 */
export class StripeTryEndedError extends Error {
  readonly code = 'SENDONCE_STRIPE_TRY_ENDED';
  override readonly name = 'StripeTryEndedError';
}
