import { ANSWERS } from './answers';
import { HISTORY } from './history';
import type { Mutant } from './mutant';
import { PEOPLE } from './people';
import { RECONCILIATION } from './reconciliation';
import { SENDING } from './sending';

export const MUTANTS: readonly Mutant[] = [...SENDING, ...ANSWERS, ...HISTORY, ...PEOPLE, ...RECONCILIATION];

export function findMutant(name: string): Mutant | undefined {
  return MUTANTS.find((mutant) => mutant.name === name);
}
