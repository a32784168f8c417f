import type { Database } from '../../src/ledger/database';

/** The schema `sendonce` as text: columns, constraints, indexes and functions, in a fixed order. */
export async function schemaDump({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ line: string }>(`
    select line from (
      select 1 as part, c.relname || '.' || lpad(a.attnum::text, 2, '0') as place,
        c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
          || case when a.attnotnull then ' not null' else '' end
          || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'sendonce'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
      union all
      select 2, conrelid::regclass || conname, conrelid::regclass || ': ' || pg_get_constraintdef(oid)
      from pg_constraint
      where connamespace = 'sendonce'::regnamespace and conrelid <> 'sendonce.migrations'::regclass and contype <> 'n'
      union all
      select 3, indexname, indexdef from pg_indexes where schemaname = 'sendonce' and tablename <> 'migrations'
      union all
      select 4, proname, pg_get_functiondef(oid) from pg_proc where pronamespace = 'sendonce'::regnamespace
    ) as lines
    order by part, place`);
  return `${rows.map(({ line }) => line.trimEnd()).join('\n')}\n`;
}
