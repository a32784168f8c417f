import type { Contract } from '../../src/operations/contract';
import { CONTRACTS } from '../../src/testing/explorer/scenario';

/** A kind of contract: what the provider promises, and whether it can be asked. */
export interface Kind {
  readonly id: string;
  readonly promise: string;
  readonly contract: Contract;
  readonly hasQuery: boolean;
}

/** `set-value` and fences come with the providers that have them. */
export const KINDS: readonly Kind[] = [
  ...both('every-answer', 'stores every answer', CONTRACTS.everyAnswer),
  asked('every-answer+proof', 'stores every answer and proves absence', CONTRACTS.provenAbsence),
  ...both('successes', 'stores successes only', CONTRACTS.successes),
  ...both('success-is-effect', 'stores successes, which are one with their effects', CONTRACTS.successesAreEffects),
  ...both('latest-status', 'tells the latest status', CONTRACTS.latestStatus),
  ...both('no-key', 'knows no key', CONTRACTS.noKey),
  asked('no-key+proof', 'knows no key and proves absence', CONTRACTS.noKeyProvenAbsence),
];

export function hasKey({ contract }: Kind): boolean {
  return contract.key !== 'none';
}

export function hasQuery(kind: Kind): boolean {
  return kind.hasQuery;
}

export function provesAbsence({ contract }: Kind): boolean {
  return typeof contract.absence !== 'string';
}

function both(id: string, promise: string, contract: Contract): Kind[] {
  return [asked(`${id}+query`, promise, contract), { id, promise, contract, hasQuery: false }];
}

function asked(id: string, promise: string, contract: Contract): Kind {
  return { id, promise, contract, hasQuery: true };
}
