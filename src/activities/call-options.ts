import type { Tool } from '../tools/tool';
import type { CallOptions } from './activity-inputs';
import type { CallLimits } from './context';
import { FIND_WITHIN_MS } from './perform';

/** Room for reads, commits (with their repetitions when Postgres restarts) and the tool's own `resolve`. */
const SLACK_MS = 60_000;

/**
 * An execution that is cut off by Temporal leaves an attempt nobody answers for, so its time-out lies above all it may
 * wait for: a join, a query, a send and its answer.
 */
export function callOptionsOf(tool: Tool, limits: CallLimits): CallOptions {
  const { heartbeatWithinMs: heartbeatMs, callWithinMs } = limits;
  const queue = tool.scheduling ? { taskQueue: tool.scheduling.taskQueue } : {};
  if (tool.kind === 'read') {
    return { startToCloseMs: SLACK_MS, heartbeatMs, scheduleToCloseMs: Math.max(callWithinMs, SLACK_MS), ...queue };
  }
  const { sendWithin, answerWithin } = tool.provider.contract;
  const startToCloseMs = limits.joinWithin + 2 * FIND_WITHIN_MS + sendWithin + answerWithin + SLACK_MS;
  return { startToCloseMs, heartbeatMs, scheduleToCloseMs: Math.max(callWithinMs, 2 * startToCloseMs), ...queue };
}
