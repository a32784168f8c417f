import { type Engine, productEngine } from './engine';
import type { Broken } from './history-rules';
import { Model } from './model';
import type { Scenario } from './scenario';
import { retell } from './story';

/** Tells a trace again from its path. Throws a RangeError where the path leads nowhere. */
export function replay(
  scenario: Scenario,
  path: readonly number[],
  engine: Engine = productEngine,
): { readonly story: string; readonly broken: readonly Broken[] } {
  return retell(new Model(scenario, engine), path);
}
