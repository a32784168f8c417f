// Needs nothing.
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { asFailure, notSubmitted } from '../../src/activities/activity-errors';
import { ModelCallError } from '../../src/activities/model-call-error';
import { assertNever } from '../../src/operations/assert-never';
import { RefusedError } from '../../src/operations/refused-error';

function thrown(act: () => never): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('at Temporal’s border an error is an ApplicationFailure whose type is its code', () => {
  test.each<[string, unknown, string, boolean]>([
    ['a bug of ours', new Error('Bug: no record.'), 'Bug', true],
    ['a rule that is missing', thrown(() => assertNever('x' as never)), 'Bug', true],
    ['an error with a code', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED', false],
    ['an error with a number for a code', Object.assign(new Error('x'), { code: 7 }), 'Error', false],
    ['an error of somebody’s code', new TypeError('x'), 'TypeError', false],
    ['a refusal where none is expected', new RefusedError('x'), 'SENDONCE_REFUSED', false],
  ])('%s', (_what, error, type, nonRetryable) => {
    const failure = asFailure(error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type, nonRetryable, message: (error as Error).message, cause: error });
  });

  test.each([
    ['a failure', ApplicationFailure.nonRetryable('x')],
    ['a cancellation', new CancelledFailure('x')],
    ['what is no error', 'x'],
  ])('%s stays what it is', (_what, error) => {
    expect(asFailure(error)).toBe(error);
  });

  const failure = { isRetryable: true, retryAfterMs: null, status: 529, requestId: 'req_1', words: 'Overloaded' };

  test('a model’s error that may pass has its IDs for support, the time the endpoint asks for, and no cause', () => {
    const error = new ModelCallError({ ...failure, retryAfterMs: 7_000 }, 'client-1', new Error('The whole prompt.'));
    const message = 'The model gave no answer: HTTP 529: Overloaded (request ID req_1, X-Client-Request-Id client-1)';
    expect(asFailure(error)).toMatchObject({
      ...{ type: 'SENDONCE_MODEL_CALL', nonRetryable: false, nextRetryDelay: 7_000, message, cause: undefined },
      details: [{ clientRequestId: 'client-1', requestId: 'req_1', status: 529 }],
    });
  });

  test('a model’s error that would come again is final, and one without a wish is left to Temporal’s intervals', () => {
    const error = new ModelCallError({ ...failure, isRetryable: false, status: null, requestId: null }, 'client-1');
    expect(asFailure(error)).toMatchObject({
      ...{ type: 'SENDONCE_MODEL_CALL', nonRetryable: true, nextRetryDelay: undefined },
      message: 'The model gave no answer: Overloaded (X-Client-Request-Id client-1)',
    });
  });

  test('nothing left → a failure that Temporal repeats', () => {
    expect(notSubmitted('The connection was refused.')).toMatchObject({
      ...{ type: 'SENDONCE_NOT_SUBMITTED', nonRetryable: false, message: 'The connection was refused.' },
    });
  });
});
