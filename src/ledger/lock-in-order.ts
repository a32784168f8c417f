/** The end of a statement that locks several operations: always in this order, or two of them wait for each other. */
export const LOCK_IN_ORDER = 'order by tenant, operation_id for no key update';
