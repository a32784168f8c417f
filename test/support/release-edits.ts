import type { SourceEdit } from './workflow-bundle';

/** A step that another release takes before one that is there already. */
interface AddedStep {
  readonly file: string;
  /** The first import of the file, to import what the step needs before it. */
  readonly imports: string;
  readonly before: string;
}

/** One in each of the three workflows, in the loop that a running one comes back to. */
const ADDED_STEPS = {
  agentTurn: {
    file: 'agent-turn.ts',
    imports: 'import {\n  ActivityCancellationType,',
    before: '      progress.asksModel(step);\n',
  },
  agentSession: {
    file: 'agent-session.ts',
    imports: 'import {\n  type ActivityOptions,',
    before: '    const { turn, undelivered } = await lookAt(session);\n',
  },
  reconciliation: {
    file: 'reconciliation.ts',
    imports: 'import {\n  ActivityFailure,',
    before: '    let pauseMs = TROUBLE_PAUSE_MS;\n',
  },
} satisfies Record<string, AddedStep>;

export type WorkflowType = keyof typeof ADDED_STEPS;
export const WORKFLOW_TYPES = Object.keys(ADDED_STEPS) as WorkflowType[];

const TIMER = "await added.sleep('1 millisecond');";
const ACTIVITY = "await added.proxyActivities({ startToCloseTimeout: '1 minute' })['sendonce.audit']?.();";

export const PATCH_ID = 'pause-first';

/** A release whose workflows do something more, and break those that run. */
export const ADDED_TIMER = withStep(TIMER);
export const ADDED_ACTIVITY = withStep(ACTIVITY);

/** The same, done right: what runs goes on as it began, up to where it is. */
export const PATCHED_TIMER = withStep(`if (added.patched('${PATCH_ID}')) ${TIMER}`);

function withStep(step: string): SourceEdit[] {
  return WORKFLOW_TYPES.map((type) => ADDED_STEPS[type]).flatMap(({ file, imports, before }) => [
    { file, from: imports, to: `import * as added from '@temporalio/workflow';\n${imports}` },
    { file, from: before, to: `${step}\n${before}` },
  ]);
}
