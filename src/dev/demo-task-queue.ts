/** Its own: whoever tries a worker of theirs on the demo's Temporal must not meet the demo's. */
export const DEMO_TASK_QUEUE = 'sendonce-demo';
