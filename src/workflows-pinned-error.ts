/**
 * Worker Versioning would pin the toolkit's workflows to the version they began on, for ever: a reconciliation never ends, and
 * would stand still when that version's workers are gone. It does not mean that the worker took any work.
 */
export class WorkflowsPinnedError extends Error {
  readonly code = 'SENDONCE_WORKFLOWS_PINNED';
  override readonly name = 'WorkflowsPinnedError';
  constructor() {
    super(
      'The reconciliation never ends, and pinned to a version it would stand still when the workers of that version are gone. Set ' +
        "workerDeploymentOptions.defaultVersioningBehavior to 'AUTO_UPGRADE'. Turns may be pinned, in a file of workflows of " +
        'your own: see docs/upgrading.md.',
    );
  }
}
