import type { Pool } from 'pg';
import type { Order } from './order';

/**
 * The shop's own database: to sendonce it is somebody else's system that `resolve` reads. It lives in a schema of its
 * own beside the ledger.
 */
export class Orders {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async prepare(): Promise<void> {
    await this.#pool.query(`
      create schema if not exists shop;
      create table if not exists shop.orders (tenant text, id text, content jsonb not null, primary key (tenant, id))`);
  }

  async add(tenant: string, order: Order): Promise<void> {
    await this.#pool.query(
      'insert into shop.orders (tenant, id, content) values ($1, $2, $3) on conflict (tenant, id) do update set content = excluded.content',
      [tenant, order.id, JSON.stringify(order)],
    );
  }

  async find(tenant: string, id: string): Promise<Order | null> {
    const { rows } = await this.#pool.query<{ content: Order }>(
      'select content from shop.orders where tenant = $1 and id = $2',
      [tenant, id],
    );
    return rows[0]?.content ?? null;
  }

  /** The order number after the last one; 1043 in an empty shop. */
  async nextId(tenant: string): Promise<string> {
    const { rows } = await this.#pool.query<{ next: string }>(
      `select coalesce(max(id::int) + 1, 1043)::text as next from shop.orders where tenant = $1`,
      [tenant],
    );
    return rows[0]?.next ?? '1043';
  }
}
