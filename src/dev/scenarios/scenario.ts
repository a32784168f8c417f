import type { AskingName } from '../agents/askings';
import type { MissingLine } from '../shop/demo-order';
import type { WorkerConfig } from '../workers/worker-config';
import type { NaivePromise, ScenarioPromise } from './scenario-promise';
import type { Scene } from './set-scene';
import type { Talk } from './talk';

/** One way in which the world can behave, and what must come out of it. */
export interface Scenario {
  readonly name: string;
  /** What happens, in one sentence. */
  readonly title: string;
  /** What of the order never shipped. */
  readonly missing: readonly MissingLine[];
  readonly asking: AskingName;
  readonly promise: ScenarioPromise;
  readonly naive: NaivePromise;
  /** How the first worker differs from the usual one. */
  readonly worker?: Partial<WorkerConfig>;
  /** Before the run: what it does at the provider is not counted. */
  readonly setUp?: (scene: Scene) => Promise<void> | void;
  /** What customers say, and what happens meanwhile. */
  readonly talk: Talk;
}
