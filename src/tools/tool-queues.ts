import type { ToolScheduling } from './scheduling';
import type { Tool } from './tool';

/** Two tools share a task queue and name other limits for it. The worker does not start. */
export class QueueLimitsConflictError extends Error {
  readonly code = 'SENDONCE_QUEUE_LIMITS_CONFLICT';
  override readonly name = 'QueueLimitsConflictError';
  constructor(
    readonly taskQueue: string,
    readonly tools: readonly [string, string],
  ) {
    super(
      `${tools.join(' and ')} share the task queue ${taskQueue} and name other limits for it. Give them the same, or a queue each.`,
    );
  }
}

/** A queue beside the worker's own, and the tools whose calls come by it. */
export interface ToolQueue extends ToolScheduling {
  readonly tools: readonly [Tool, ...Tool[]];
}

/** The queues that tools name, but for the worker's own. Throws QueueLimitsConflictError. */
export function toolQueues(tools: readonly Tool[], ownQueue: string): readonly ToolQueue[] {
  const queues = new Map<string, ToolQueue>();
  for (const tool of tools) {
    const { scheduling } = tool;
    if (scheduling === undefined || scheduling.taskQueue === ownQueue) continue;
    const known = queues.get(scheduling.taskQueue);
    if (known && limitsOf(known) !== limitsOf(scheduling)) {
      throw new QueueLimitsConflictError(scheduling.taskQueue, [known.tools[0].name, tool.name]);
    }
    queues.set(scheduling.taskQueue, { ...scheduling, tools: known ? [...known.tools, tool] : [tool] });
  }
  return [...queues.values()];
}

function limitsOf({ maxConcurrent, maxPerSecond }: ToolScheduling): string {
  return JSON.stringify([maxConcurrent ?? null, maxPerSecond ?? null]);
}
