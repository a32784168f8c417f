import { z } from 'zod';
import { ASKING_NAMES } from '../agents/askings';

/** What the demo's worker process is told, as JSON in the environment variable `SENDONCE_DEMO_WORKER`. */
export const WorkerConfig = z.strictObject({
  taskQueue: z.string(),
  stripePort: z.int(),
  /** `guarded`: our tool. Else the tool as commonly written, with that key. */
  tool: z.enum(['guarded', 'automatic', 'run-id']),
  asking: z.enum(ASKING_NAMES),
  sendWithinMs: z.int().positive(),
  answerWithinMs: z.int().positive(),
  heartbeatMs: z.int().positive(),
  /** `one-activity`: no workflows, one activity at a time, so that freezing it holds up nothing else. */
  role: z.enum(['all', 'workflows', 'one-activity']),
  /** Whether tenants share the account at the provider. */
  sharedAccount: z.boolean(),
  /** Where to stop once until the parent says go: before the first send, or when the model hears of a refund. */
  hold: z.enum(['nothing', 'first-send', 'heard-model']),
});
export type WorkerConfig = z.infer<typeof WorkerConfig>;

export const WORKER_CONFIG_VARIABLE = 'SENDONCE_DEMO_WORKER';

/** From the worker to its parent. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'model-called' }
  | { readonly kind: 'holding' };

/** From the parent to the worker. */
export type ParentMessage = { readonly kind: 'go' };
