import type { Entry, Level } from './catalogue';
import type { Mutant } from './mutant';
import type { Walk } from './walks';

/** All that is checked. A module of its own, so that each thread loads it by its path. */
export interface Catalogue {
  readonly entriesOf: (level: Level) => readonly Entry[];
  readonly mutants: readonly Mutant[];
  readonly walksOf: (level: Level) => readonly Walk[];
  /** Worlds after which what is to be explored completely is stopped: something is wrong with it then. */
  readonly tooMany: number;
}

/** `path`: a module that exports `CATALOGUE`. */
export function loadCatalogue(path: string): Catalogue {
  return require(path).CATALOGUE;
}
