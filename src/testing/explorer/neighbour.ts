import { keyOf, keyPrefix } from '../../operations/key';
import { OPERATION_ID } from './operation-id';
import type { MadeEffect, ProviderWorld } from './provider-model';

export const OWN_TENANT = 'shop';
const NEIGHBOUR = 'outlet';

/**
 * What a shared account holds before anything of ours: another tenant's refund under the same operation ID and that
 * tenant's key. Queries tell tenants apart by what the effect bears, so none of ours shows it.
 */
export function neighboursWorld(): ProviderWorld {
  const key = keyOf(OPERATION_ID, 1, keyPrefix(NEIGHBOUR, true));
  const effect: MadeEffect = {
    externalId: 're_1',
    status: 'succeeded',
    key,
    generation: 0,
    attempt: 0,
    call: '',
    at: 0,
    stranger: true,
    neighbours: true,
    bounced: false,
  };
  return {
    keys: [{ key, at: 990, stored: 'effect', externalId: 're_1', status: 'succeeded' }],
    effects: [effect],
  };
}
