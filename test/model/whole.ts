import { MUTANTS } from './all-mutants';
import { entriesOf } from './catalogue';
import type { Catalogue } from './catalogue-module';
import { walksOf } from './walks';

/** What `npm run model` checks. */
export const CATALOGUE: Catalogue = { entriesOf, mutants: MUTANTS, walksOf, tooMany: 1_500_000 };
