import type { OperationEvent, Recorded } from '../operations/event';
import type { Pause } from '../operations/pause';
import type { Database } from './database';
import { type Ledger, type LedgerRead, type LedgerSave, ledgerRead, type OperationRef } from './ledger';
import { foldedAfter } from './operation-row';

/** The ledger in Postgres. Each method is one statement and so, for saves, one commit. */
export class PostgresLedger implements Ledger {
  readonly #database: Database;
  readonly #sql: Statements;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = statements(database.schema);
  }

  async load({ tenant, operationId }: OperationRef): Promise<LedgerRead> {
    const { rows } = await this.#database.pool.query<LoadRow>({
      name: 'sendonce-load',
      text: this.#sql.load,
      values: [tenant, operationId],
    });
    const [row] = rows;
    if (!row) throw new Error('Bug: the load statement gives one row always.');
    return ledgerRead(Number(row.now), (row.events ?? []).map(recorded), row.pauses ?? []);
  }

  async save(save: LedgerSave): Promise<{ readonly at: number } | null> {
    const { tenant, operationId, before, events } = save;
    const { row, due, announcements } = foldedAfter(save);
    const columns = [
      row.tool,
      row.provider,
      row.state,
      row.reason,
      row.external_id,
      row.resolved_by,
      row.generation,
      row.key,
      row.attempts,
      row.in_flight_until,
      row.waits_for,
      due !== null && 'at' in due ? due.at : null,
      due !== null && 'after' in due ? due.after : null,
    ];
    const { rows } = await this.#database.pool.query<{ at: string }>({
      ...this.#statementFor(before.length, announcements.length),
      values: [
        tenant,
        operationId,
        before.length,
        events.map((event) => event.kind),
        events.map((event) => JSON.stringify(event)),
        ...columns,
        ...(announcements.length === 0
          ? []
          : [
              announcements.map(({ kind }) => kind),
              announcements.map(({ sessionId }) => sessionId),
              announcements.map(({ after }) => after),
            ]),
      ],
    });
    const [saved] = rows;
    return saved ? { at: Number(saved.at) } : null;
  }

  #statementFor(version: number, announcements: number): { readonly name: string; readonly text: string } {
    if (version === 0) return { name: 'sendonce-insert', text: this.#sql.insert };
    if (announcements === 0) return { name: 'sendonce-append', text: this.#sql.append };
    return { name: 'sendonce-append-tell', text: this.#sql.appendAndTell };
  }
}

interface LoadRow {
  readonly now: string;
  readonly events: readonly EventRow[] | null;
  readonly pauses: readonly Pause[] | null;
}

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly data: OperationEvent;
}

function recorded({ seq, at, data }: EventRow): Recorded {
  return { ...data, seq, at };
}

interface Statements {
  readonly load: string;
  readonly insert: string;
  readonly append: string;
  readonly appendAndTell: string;
}

/**
 * Every write of a save comes `from ok`, the gate on the version: it gives one row or none, so either all is written or
 * nothing. Statements that hang on an `update … returning` instead write half of it when a race is lost.
 *
 * `updated_at` is the time of the latest event: where the server's clock was set back, the next event is no earlier.
 */
function statements(schema: string): Statements {
  const ms = (expression: string) => `(extract(epoch from ${expression}) * 1000)::bigint`;
  const instant = (place: string) => `timestamptz 'epoch' + ${place}::bigint * interval '1 millisecond'`;
  const after = (place: string) => `ok.at + ${place}::float8 * interval '1 millisecond'`;
  const newEvents = `
    insert into ${schema}.events (tenant, operation_id, seq, at, kind, data)
    select $1, $2, $3::int + added.place, ok.at, added.kind, added.data
    from ok, unnest($4::text[], $5::json[]) with ordinality as added (kind, data, place)`;
  const append = (more: string) => `
      with ok as materialized (
        select greatest(${schema}.ledger_now(), updated_at) as at from ${schema}.operations
        where tenant = $1 and operation_id = $2 and version = $3::int
        for update
      ), written as (${newEvents}
      ), folded as (
        update ${schema}.operations
        set version = $3::int + cardinality($4::text[]), tool = $6, provider = $7, state = $8, reason = $9,
          external_id = $10, resolved_by = $11, generation = $12, key = $13, attempts = $14,
          in_flight_until = ${instant('$15')}, waits_for = $16, due_at = coalesce(${instant('$17')}, ${after('$18')}),
          checks = 0, updated_at = ok.at
        from ok where tenant = $1 and operation_id = $2
      )${more}
      select ${ms('at')} as at from ok`;
  return {
    load: `
      select ${ms(`${schema}.ledger_now()`)} as now, (
        select json_agg(json_build_object('seq', seq, 'at', ${ms('at')}, 'data', data) order by seq)
        from ${schema}.events where tenant = $1 and operation_id = $2
      ) as events, (
        select json_agg(json_build_object('kind', kind, 'name', name)) from ${schema}.pauses
      ) as pauses`,
    insert: `
      with ok as materialized (
        insert into ${schema}.operations as operation (tenant, operation_id, version, tool, provider, state, reason,
          external_id, resolved_by, generation, key, attempts, in_flight_until, waits_for, due_at, created_at, updated_at)
        select $1, $2, $3::int + cardinality($4::text[]), $6, $7, $8, $9, $10, $11, $12, $13, $14, ${instant('$15')}, $16,
          coalesce(${instant('$17')}, clock.at + $18::float8 * interval '1 millisecond'), clock.at, clock.at
        from ${schema}.ledger_now() as clock (at)
        on conflict do nothing
        returning operation.created_at as at
      ), written as (${newEvents})
      select ${ms('at')} as at from ok`,
    append: append(''),
    appendAndTell: append(`, told as (
        insert into ${schema}.outbox (tenant, operation_id, kind, session_id, version, created_at, due_at)
        select $1, $2, news.kind, news.session_id, $3::int + cardinality($4::text[]), ok.at,
          ok.at + news.after * interval '1 millisecond'
        from ok, unnest($19::text[], $20::text[], $21::float8[]) as news (kind, session_id, after)
        on conflict (tenant, operation_id, kind, session_id) do update
          set version = excluded.version, created_at = excluded.created_at, due_at = excluded.due_at, tries = 0
      )`),
  };
}
