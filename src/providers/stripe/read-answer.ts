import { type RefundObject, readRefund } from './refund-object';
import type { AnswerHeaders } from './single-try';
import { readStripeError, type StripeErrorBody } from './stripe-error';

/** An answer with all that the rules look at. */
export interface ReadAnswer {
  readonly status: number;
  /** The parsed body, undefined where it is no JSON. */
  readonly json: unknown;
  /** Whether it has an `error`, of whatever form. */
  readonly hasError: boolean;
  readonly refund: RefundObject | null;
  readonly error: StripeErrorBody | null;
  /** Whether this is the stored answer to an earlier send of the key. `unclear`: the header says neither yes nor no. */
  readonly replayed: 'yes' | 'no' | 'unclear';
  readonly shouldRetry: 'yes' | 'no' | null;
}

export function readAnswer(answer: { status: number; headers: AnswerHeaders; body: string }): ReadAnswer {
  const { status, headers } = answer;
  const json = parse(answer.body);
  const hasError = typeof json === 'object' && json !== null && 'error' in json;
  const replayed = headers['idempotent-replayed'];
  return {
    status,
    json,
    hasError,
    // A body with both is neither: `error` tells of a failure, whatever stands beside it (S23).
    refund: hasError ? null : readRefund(json),
    error: readStripeError(json),
    replayed: replayed === 'true' ? 'yes' : replayed === undefined || replayed === 'false' ? 'no' : 'unclear',
    shouldRetry: yesNo(headers['stripe-should-retry']),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function yesNo(value: string | string[] | undefined): 'yes' | 'no' | null {
  if (value === 'true') return 'yes';
  return value === 'false' ? 'no' : null;
}
