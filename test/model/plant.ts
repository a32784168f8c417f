import { join, sep } from 'node:path';
import type { Engine } from '../../src/testing/explorer/engine';
import type { Plant } from './mutant';

const SRC = join(__dirname, '..', '..', 'src') + sep;

interface Modules {
  readonly engine: typeof import('../../src/testing/explorer/engine.js');
  readonly explore: typeof import('../../src/testing/explorer/explore.js');
  readonly wander: typeof import('../../src/testing/explorer/wander.js');
  readonly replay: typeof import('../../src/testing/explorer/replay.js');
}

type Module<Name extends keyof Modules> = Modules[Name];

/** The explorer over the product, or over the product with one mistake. */
export interface Explorer {
  readonly explore: Module<'explore'>['explore'];
  readonly wander: Module<'wander'>['wander'];
  readonly replay: Module<'replay'>['replay'];
  readonly engine: Engine;
}

/**
 * Loads the product's modules once more, with the mistake in the place of what it replaces, and leaves the ones that
 * are loaded as they are. No module of the product imports its own importer, so one that is replaced as soon as it is
 * loaded was used by nobody yet.
 */
export function loadExplorer(plant: Plant | null): Explorer {
  const before = unload();
  try {
    if (plant?.kind === 'module') {
      const file = require.resolve(join(SRC, plant.module));
      const actual: object = require(file);
      const loaded = require.cache[file];
      if (loaded === undefined) throw new Error(`Bug: ${plant.module} is not kept where it was loaded.`);
      loaded.exports = { ...actual, ...plant.patch(actual) };
    }
    const { productEngine }: Module<'engine'> = require('../../src/testing/explorer/engine');
    const { explore }: Module<'explore'> = require('../../src/testing/explorer/explore');
    const { wander }: Module<'wander'> = require('../../src/testing/explorer/wander');
    const { replay }: Module<'replay'> = require('../../src/testing/explorer/replay');
    return { explore, wander, replay, engine: plant?.kind === 'engine' ? plant.change(productEngine) : productEngine };
  } finally {
    unload();
    Object.assign(require.cache, before);
  }
}

function unload(): NodeJS.Dict<NodeModule> {
  const loaded: NodeJS.Dict<NodeModule> = {};
  for (const file of Object.keys(require.cache).filter((name) => name.startsWith(SRC))) {
    loaded[file] = require.cache[file];
    delete require.cache[file];
  }
  return loaded;
}
