/** The one operation that is explored. */
export const OPERATION_ID = 'refund-1043-li_2';
