import type { Mutant } from './mutant';
import { ANSWERS } from './mutants/answers';
import { CALL_MUTANTS } from './mutants/calls';
import { EVIDENCE } from './mutants/evidence';
import { RECONCILIATION } from './mutants/reconciling';
import { SENDING } from './mutants/sending';

/** Every planted mistake; each must be caught. */
export const MUTANTS: readonly Mutant[] = [...SENDING, ...ANSWERS, ...EVIDENCE, ...CALL_MUTANTS, ...RECONCILIATION];
