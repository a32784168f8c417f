// Needs nothing.
import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { asFailure, ModelCallError, notSubmitted } from '../../src/activities/activity-errors';
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
    ['a model’s error that may pass', new ModelCallError(new Error('x'), true), 'SENDONCE_MODEL_CALL', false],
    ['a model’s error that would come again', new ModelCallError(new Error('x'), false), 'SENDONCE_MODEL_CALL', true],
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

  test('nothing left → a failure that Temporal repeats', () => {
    expect(notSubmitted('The connection was refused.')).toMatchObject({
      ...{ type: 'SENDONCE_NOT_SUBMITTED', nonRetryable: false, message: 'The connection was refused.' },
    });
  });
});
