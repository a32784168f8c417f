/**
 * The wait for a turn's end was over first. The turn goes on, and so do its calls: say the same message under the same
 * request key, or wait on, to hear how it ends. Nothing was stopped and nothing failed.
 */
export class TurnTimeoutError extends Error {
  readonly code = 'SENDONCE_TURN_TIMEOUT';
  override readonly name = 'TurnTimeoutError';
  constructor(
    readonly workflowId: string,
    readonly timeoutMs: number,
  ) {
    super(`The turn ${workflowId} has not ended within ${timeoutMs} ms. It goes on; only the wait is over.`);
  }
}

/** The client was closed while somebody waited. The turn goes on. */
export class ClientClosedError extends Error {
  readonly code = 'SENDONCE_CLIENT_CLOSED';
  override readonly name = 'ClientClosedError';
  constructor(override readonly cause?: unknown) {
    super('The client was closed. What it had started goes on; connect again and say the message under its key.', {
      cause,
    });
  }
}

/**
 * Temporal has a turn of this name that ended, and the database knows nothing of its end: it was emptied, or restored
 * to an older state. It does not mean that nothing was done in it.
 */
export class TurnRecordLostError extends Error {
  readonly code = 'SENDONCE_TURN_RECORD_LOST';
  override readonly name = 'TurnRecordLostError';
  constructor(readonly workflowId: string) {
    super(
      `The turn ${workflowId} ended at Temporal, and the database has no record of its end. Was it emptied or restored? ` +
        'Look into the history of the workflow, and go on in a session with an ID of its own.',
    );
  }
}
