import type { Pool } from 'pg';

/** What a plain tool would write by itself: a row before the call and its outcome after it, two commits. */
export class BareRows {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async create(): Promise<void> {
    await this.#pool.query(
      `create schema bench;
       create table bench.bare (
         tenant text not null, id text not null, state text not null, request text not null, answer text,
         created_at timestamptz not null, updated_at timestamptz not null, primary key (tenant, id)
       )`,
    );
  }

  // Prepared by name, as ours are: a statement that is parsed each time would be a weak opponent.
  async insert(id: string, request: string): Promise<void> {
    await this.#pool.query({
      name: 'bare-insert',
      text: `insert into bench.bare (tenant, id, state, request, created_at, updated_at)
        values ($1, $2, 'submitted', $3, clock_timestamp(), clock_timestamp())`,
      values: [TENANT, id, request],
    });
  }

  async update(id: string, answer: string): Promise<void> {
    await this.#pool.query({
      name: 'bare-update',
      text: `update bench.bare set state = 'confirmed', answer = $3, updated_at = clock_timestamp()
        where tenant = $1 and id = $2`,
      values: [TENANT, id, answer],
    });
  }

  async read(id: string): Promise<{ readonly state: string; readonly answer: string | null } | null> {
    const { rows } = await this.#pool.query({
      name: 'bare-read',
      text: 'select state, request, answer, created_at, updated_at from bench.bare where tenant = $1 and id = $2',
      values: [TENANT, id],
    });
    return rows[0] ?? null;
  }

  /** Rows of one measure that have both commits. */
  async completed(measure: string): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      `select count(*)::int from bench.bare where starts_with(id, $1 || '.') and state = 'confirmed'`,
      [measure],
    );
    return rows[0]?.count ?? 0;
  }
}

const TENANT = 'bench';
