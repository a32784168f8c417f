import type { Contract } from '../../../src/operations/contract';
import { CONTRACTS, type Scenario } from '../../../src/testing/explorer/scenario';

/** Every kind of contract that a provider may have today, and what it is called. */
export const PROMISES: readonly (readonly [name: string, contract: Contract])[] = [
  ['stores every answer', CONTRACTS.everyAnswer],
  ['stores every answer and proves absence', CONTRACTS.provenAbsence],
  ['stores successes only', CONTRACTS.successes],
  ['stores successes, which are one with their effects', CONTRACTS.successesAreEffects],
  ['tells the latest status', CONTRACTS.latestStatus],
  ['knows no key', CONTRACTS.noKey],
  ['knows no key and proves absence', CONTRACTS.noKeyProvenAbsence],
];

export function kindOf({ contract, hasQuery }: Scenario): string {
  const found = PROMISES.find(([, promised]) => promised === contract);
  if (!found) throw new Error('Bug: a scenario has a contract without a name.');
  return `a provider that ${found[0]}, and ${hasQuery ? 'can' : 'cannot'} be asked`;
}
