/** A task queue of a tool's own, and how fast its calls may run. */
export interface ToolScheduling {
  /** Tools that name the same queue share its limits, and must name the same ones. */
  readonly taskQueue: string;
  /** Calls that one worker process runs at a time; Temporal's default if left out. */
  readonly maxConcurrent?: number;
  /** Calls that start per second on this queue, over all workers. Temporal's server keeps to it. */
  readonly maxPerSecond?: number;
}

/** Throws TypeError for limits that no worker could keep. */
export function checkScheduling(tool: string, { taskQueue, maxConcurrent, maxPerSecond }: ToolScheduling): void {
  if (typeof taskQueue !== 'string' || taskQueue.trim() === '') {
    throw new TypeError(`The scheduling of ${tool} needs a taskQueue, the name of a queue for its calls alone.`);
  }
  if (maxConcurrent !== undefined && !(Number.isInteger(maxConcurrent) && maxConcurrent >= 1)) {
    throw new TypeError(`maxConcurrent of ${tool} must be a whole number above zero, not ${String(maxConcurrent)}.`);
  }
  if (maxPerSecond !== undefined && !(Number.isFinite(maxPerSecond) && maxPerSecond > 0)) {
    throw new TypeError(`maxPerSecond of ${tool} must be a number above zero, not ${String(maxPerSecond)}.`);
  }
}
