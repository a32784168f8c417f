import type { Asking } from '../agents/eager-agent';
import type { WorkerConfig } from '../workers/worker-config';
import type { Stage } from './stage';

/** One way in which the world can behave, and what must come out of it. */
export interface Scenario {
  readonly name: string;
  /** What happens, in one sentence. */
  readonly title: string;
  readonly asking: Asking;
  /** Lines of the order that were not shipped. */
  readonly missingLines: 1 | 2;
  readonly promise: ScenarioPromise;
  /** How the first worker differs from the usual one. */
  readonly worker?: Partial<WorkerConfig>;
  /** Once the customer is about to agree. */
  readonly before?: (stage: Stage) => Promise<void> | void;
  /** Beside the turn in which the refund is made. The run ends when both have ended. */
  readonly during?: (stage: Stage) => Promise<void>;
}

export interface ScenarioPromise {
  /** Refunds made at the provider. */
  readonly effects: number;
  /** Requests to make one that reached it. */
  readonly sends: number;
  /** Attempts of each operation. */
  readonly attempts: readonly number[];
  /** Refunds that the tool as commonly written makes, where it makes more. */
  readonly naiveEffects?: number;
}
