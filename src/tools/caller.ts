/**
 * Who a call acts for. Tenant, customer and session are set by trusted code when it opens the session, the call's ID by
 * the turn; the model sets none of them.
 */
export interface Caller {
  readonly tenant: string;
  readonly customer: string;
  readonly sessionId: string;
  readonly callId: string;
}
