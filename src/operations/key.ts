import type { Contract } from './contract';

/** Operation IDs without a window-bound key have no limit downstream; this one keeps rows and screens readable. */
const MAX_WITHOUT_KEY = 255;

/** The key of a generation: the operation ID, from the second generation on with `~n`, behind `tenant~` if asked. */
export function keyOf(operationId: string, generation: number, prefix: string): string {
  return `${prefix}${operationId}${generation === 1 ? '' : `~${generation}`}`;
}

/**
 * What stands before the keys of a tenant where tenants share one account at the provider. A tenant's name cannot hold
 * `~` (checked when a session is opened), so no tenant can reach another one's keys.
 */
export function keyPrefix(tenant: string, sharedAccount: boolean): string {
  return sharedAccount ? `${tenant}~` : '';
}

/** The tenant of a key that has such a prefix; null for one that has none. */
export function tenantOfKey(key: string): string | null {
  return /^[^~]+(?=~)/.exec(key)?.[0] ?? null;
}

/** How long a key may be: what an operation ID, its prefix and its suffix must fit in. */
export function keyMaxLength({ key }: Contract): number {
  return key === 'none' ? MAX_WITHOUT_KEY : key.maxLength;
}
