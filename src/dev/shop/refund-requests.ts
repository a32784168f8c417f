import type { Pool } from 'pg';

/** What a customer has confirmed on the shop's page: an intent without a natural key, so the backend gives it an ID. */
export interface RefundRequest {
  /** `req_A`; unique within its order. */
  readonly id: string;
  /** Minor units of the order's currency. */
  readonly amount: number;
}

/** The shop's refund requests, beside its orders. They are stored when the customer confirms, and never changed. */
export class RefundRequests {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async prepare(): Promise<void> {
    await this.#pool.query(`
      create schema if not exists shop;
      create table if not exists shop.refund_requests
        (tenant text, order_id text, id text, amount int not null, primary key (tenant, order_id, id))`);
  }

  async confirm(tenant: string, orderId: string, { id, amount }: RefundRequest): Promise<void> {
    await this.#pool.query(
      'insert into shop.refund_requests (tenant, order_id, id, amount) values ($1, $2, $3, $4) on conflict do nothing',
      [tenant, orderId, id, amount],
    );
  }

  async find(tenant: string, orderId: string, id: string): Promise<RefundRequest | null> {
    const { rows } = await this.#pool.query<RefundRequest>(
      'select id, amount from shop.refund_requests where tenant = $1 and order_id = $2 and id = $3',
      [tenant, orderId, id],
    );
    return rows[0] ?? null;
  }
}
