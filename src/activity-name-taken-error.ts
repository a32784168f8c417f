/** An activity of the worker's owner has the name of one of the toolkit's. The worker does not start. */
export class ActivityNameTakenError extends Error {
  readonly code = 'SENDONCE_ACTIVITY_NAME_TAKEN';
  override readonly name = 'ActivityNameTakenError';
  constructor(readonly activity: string) {
    super(
      `There is an activity named ${activity} on this worker already. Rename it or the tool: Temporal would run only one of them.`,
    );
  }
}
