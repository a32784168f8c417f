/**
 * The search attributes could not be registered. Turns run without them: nothing but a filter in Temporal's UI is
 * missing.
 */
export class SearchAttributesError extends Error {
  readonly code = 'SENDONCE_SEARCH_ATTRIBUTES';
  override readonly name = 'SearchAttributesError';
  constructor(
    readonly namespace: string,
    problem: string,
    remedy: string,
    override readonly cause?: unknown,
  ) {
    super(
      `The search attributes of namespace ${namespace} could not be registered: ${problem.replace(/\.$/, '')}. ${remedy}`,
      { cause },
    );
  }
}
