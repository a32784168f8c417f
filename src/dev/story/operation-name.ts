import { SHOP_TENANT } from '../shop/demo-order';

/** Another tenant may have an operation of the same ID: it is told with its tenant. */
export function operationName(tenant: string, operationId: string): string {
  return tenant === SHOP_TENANT ? operationId : `${tenant}’s ${operationId}`;
}
