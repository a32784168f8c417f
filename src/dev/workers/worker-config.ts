import { z } from 'zod';

/** What the demo's worker process is told, as JSON in the environment variable `SENDONCE_DEMO_WORKER`. */
export const WorkerConfig = z.strictObject({
  taskQueue: z.string(),
  stripePort: z.int(),
  /** `guarded`: our tool. Else the tool as commonly written, with that key. */
  tool: z.enum(['guarded', 'automatic', 'run-id']),
  asking: z.enum(['one-line', 'twice-at-once', 'every-line']),
  sendWithinMs: z.int().positive(),
  answerWithinMs: z.int().positive(),
  heartbeatMs: z.int().positive(),
  /** `one-activity`: no workflows, one activity at a time, so that freezing it holds up nothing else. */
  role: z.enum(['all', 'workflows', 'one-activity']),
  /** Stop before the first send until the parent says go. */
  holdFirstSend: z.boolean(),
});
export type WorkerConfig = z.infer<typeof WorkerConfig>;

export const WORKER_CONFIG_VARIABLE = 'SENDONCE_DEMO_WORKER';

/** From the worker to its parent. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'model-called' }
  | { readonly kind: 'holding-send' };

/** From the parent to the worker. */
export type ParentMessage = { readonly kind: 'go' };
