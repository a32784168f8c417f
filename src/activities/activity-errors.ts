import { ApplicationFailure } from '@temporalio/activity';
import { shorten } from '../operations/outcome';
import { ModelCallError } from './model-call-error';

/** A planned call's tool is not on this worker. It is repeated until a worker that has it takes it. */
export class ToolMissingError extends Error {
  readonly code = 'SENDONCE_TOOL_MISSING';
  override readonly name = 'ToolMissingError';
  constructor(readonly tool: string) {
    super(`This worker has no tool ${tool}, and a call of it is planned. Run a worker that has it.`);
  }
}

/**
 * A turn of another ledger came to this worker: both have workers on one task queue. Nothing was done; it is repeated
 * until a worker of its own ledger takes it.
 */
export class LedgerMismatchError extends Error {
  readonly code = 'SENDONCE_LEDGER_MISMATCH';
  override readonly name = 'LedgerMismatchError';
  constructor(
    readonly turns: string,
    readonly workers: string,
  ) {
    super(
      `The turn is in the ledger ${turns}, and this worker has the ledger ${workers}. Give each ledger (database and schema) ` +
        'a task queue of its own, for its workers and clients alike.',
    );
  }
}

/** Errors that Temporal does not repeat: they would be the same again. */
const FINAL_TYPES: readonly string[] = ['Bug'];

/**
 * At Temporal's border every error is an ApplicationFailure whose type is its code. An error that is not ours is
 * repeated: a database out of reach, a `resolve` that failed.
 */
export function asFailure(error: unknown): unknown {
  if (error instanceof ApplicationFailure || !(error instanceof Error)) return error;
  if (error.name === 'CancelledFailure') return error;
  if (error instanceof ModelCallError) return asModelFailure(error);
  const type = codeOf(error);
  const final = FINAL_TYPES.includes(type);
  // Histories and retries carry it: an error that quotes a whole answer is cut, and its cause would quote it again.
  const message = shorten(error.message);
  const cause = message === error.message ? { cause: error } : {};
  return ApplicationFailure.create({ message, type, nonRetryable: final, ...cause });
}

/** Without its cause: that one quotes the whole request and answer. The details are for who reads the history. */
function asModelFailure({ message, code, failure, clientRequestId }: ModelCallError): ApplicationFailure {
  const { isRetryable, retryAfterMs, status, requestId } = failure;
  return ApplicationFailure.create({
    message,
    type: code,
    nonRetryable: !isRetryable,
    details: [{ clientRequestId, requestId, status }],
    ...(retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs }),
  });
}

/** Nothing of the attempt left; Temporal runs the activity again (design, section 6). */
export function notSubmitted(why: string): ApplicationFailure {
  return ApplicationFailure.create({ message: why, type: 'SENDONCE_NOT_SUBMITTED', nonRetryable: false });
}

function codeOf(error: Error): string {
  if (error.message.startsWith('Bug:')) return 'Bug';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
