import type { ReplyCode, RetryAction } from '../../src/operations/reply';

/** The design's section 3, word for word: the code, its error flag, and what the model may do next. */
export const VERBATIM_CODES: readonly (readonly [ReplyCode, boolean, RetryAction])[] = [
  ['done', false, 'none'],
  ['already_done', false, 'none'],
  ['in_progress', false, 'query-status'],
  ['waiting', false, 'query-status'],
  ['approval_required', false, 'query-status'],
  ['outcome_unknown', true, 'query-status'],
  ['escalated', true, 'query-status'],
  ['rejected', true, 'none'],
  ['not_submitted', true, 'same-request'],
  ['conflict', true, 'new-input'],
  ['invalid_input', true, 'new-input'],
];
