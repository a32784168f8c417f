import type { Answer } from './answer';
import type { Fault } from './fault';
import { RefusalError } from './refusal-error';

/** An answer that a fault gives in place of the endpoint's own, once the request is being executed. */
export interface Substitute {
  readonly answer: Answer;
  /** Whether the refund is made all the same. */
  readonly effect: boolean;
  /** Whether this answer is stored with the key, in place of the endpoint's own. */
  readonly store: boolean;
}

export function substituteOf(fault: Fault | undefined): Substitute | null {
  if (fault?.kind === 'server-error') {
    return { answer: serverError(fault.shouldRetry), effect: fault.effect, store: true };
  }
  if (fault?.kind === 'status' && !standsBefore(fault)) {
    return { answer: statusAnswer(fault), effect: fault.effect ?? false, store: fault.store ?? false };
  }
  return null;
}

/** The answer of a fault that answers before anything is looked at; null for every other. */
export function answerBefore(fault: Fault | undefined): Answer | null {
  return fault?.kind === 'status' && standsBefore(fault) ? statusAnswer(fault) : null;
}

function serverError(shouldRetry: boolean | undefined): Answer {
  const error = new RefusalError(500, { type: 'api_error', message: 'Something went wrong on our end.' }).answer();
  if (shouldRetry === undefined) return error;
  return { ...error, headers: { ...error.headers, 'Stripe-Should-Retry': String(shouldRetry) } };
}

type StatusFault = Extract<Fault, { kind: 'status' }>;

function standsBefore(fault: StatusFault): boolean {
  return fault.store !== true && fault.effect !== true;
}

function statusAnswer(fault: StatusFault): Answer {
  const named = Object.keys(fault.headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
  const type = named ? {} : { 'Content-Type': 'application/json' };
  return { status: fault.status, headers: { ...type, ...fault.headers }, body: fault.body };
}
