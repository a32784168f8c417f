import { type Answer, jsonAnswer } from './answer';

/** What stands under `error` in the answer. `code` and `param` are left out where Stripe sends none. */
export interface Refusal {
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
}

/** The API refuses a request. It does not say at which point: before the endpoint began, or after. */
export class RefusalError extends Error {
  readonly code = 'FAKE_STRIPE_REFUSAL';
  override readonly name = 'RefusalError';
  readonly status: number;
  readonly refusal: Refusal;

  constructor(status: number, refusal: Refusal) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }

  answer(): Answer {
    return jsonAnswer(this.status, { error: { ...this.refusal } });
  }
}

export function invalidRequest(message: string, details: { code?: string; param?: string } = {}): RefusalError {
  return new RefusalError(400, { type: 'invalid_request_error', message, ...details });
}

/** What another account owns is answered like what does not exist. */
export function resourceMissing(kind: string, id: string, param: string): RefusalError {
  return new RefusalError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${kind}: '${id}'`,
  });
}
