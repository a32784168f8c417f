import { join } from 'node:path';
import type * as EngineModule from '../../../src/testing/explorer/engine';
import type { Engine } from '../../../src/testing/explorer/engine';
import type { Mutant } from './mutant';

/** Plants the mistake in this thread, for good: whatever loads the rules from now on gets it. Returns them. */
export function plant({ patch, engine }: Mutant): Engine {
  if (patch) {
    const file = require.resolve(join(__dirname, '../../../src', `${patch.module}.ts`));
    const actual = require(file);
    const loaded = require.cache[file];
    if (!loaded) throw new Error(`Bug: ${patch.module} is not among the loaded modules.`);
    loaded.exports = { ...actual, ...patch.change(actual) };
  }
  const { productEngine } = require('../../../src/testing/explorer/engine.ts') as typeof EngineModule;
  return engine ? engine(productEngine) : productEngine;
}
