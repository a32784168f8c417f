import type { Pause } from '../operations/pause';
import { isText, type Signature, whyUnsigned } from '../operations/signature';
import type { Instant } from '../operations/time';
import type { Database } from './database';
import { epochMs } from './epoch-ms';
import { LOCK_IN_ORDER } from './lock-in-order';
import { PauseInvalidError } from './pause-invalid-error';

/** A pause, and whose it is. */
export interface PauseRecord extends Pause, Signature {
  readonly since: Instant;
}

/** A pause as lists show it. */
export interface PauseSummary extends PauseRecord {
  /** Operations of that tool or provider that are registered and wait to be sent. */
  readonly waiting: number;
}

/** What a pause gave. */
export interface PauseEnd {
  /** As it stands: of whoever paused first. */
  readonly pause: PauseRecord;
  /** False where it was paused before: nothing was changed. */
  readonly isNew: boolean;
}

/** What a resume gave. */
export interface ResumeEnd {
  /** The pause that was ended; null where nothing was paused. */
  readonly resumed: PauseRecord | null;
  /** Operations that wait to be sent, and are due now. */
  readonly waiting: number;
}

const NAME_MAX = 255;

/** From this commit on nobody decides to send for it; what was decided before may leave within its send deadline. */
export async function pause(database: Database, { kind, name, by, note }: Pause & Signature): Promise<PauseEnd> {
  checkPause({ kind, name });
  const unsigned = whyUnsigned({ by, note });
  if (unsigned !== null) throw new PauseInvalidError(unsigned);
  const { schema, pool } = database;
  // The update changes nothing. It gives the row that is there also where a pause at the same moment came first.
  const { rows } = await pool.query<PauseRecord & { readonly isNew: boolean }>(
    `insert into ${schema}.pauses as pause (kind, name, paused_by, note, created_at)
     values ($1, $2, $3, $4, ${schema}.ledger_now())
     on conflict (kind, name) do update set name = excluded.name
     returning ${RECORD}, (xmax = 0) as "isNew"`,
    [kind, name, by, note],
  );
  const [row] = rows;
  if (!row) throw new Error('Bug: pausing gives one row always.');
  const { isNew, ...record } = row;
  return { pause: record, isNew };
}

/** Ends a pause, and makes due in the same statement what reconciliation would come to later. */
export async function resume(database: Database, { kind, name }: Pause): Promise<ResumeEnd> {
  checkPause({ kind, name });
  const { schema, pool } = database;
  const column = columnOf(kind);
  const { rows } = await pool.query<PauseRecord & { readonly waiting: number }>(
    `with ended as (
       delete from ${schema}.pauses as pause where kind = $1 and name = $2 returning *
     ), concerned as materialized (
       select tenant, operation_id from ${schema}.operations
       where ${column} = $2 and due_at is not null and exists (select from ended)
       ${LOCK_IN_ORDER}
     ), due as (
       update ${schema}.operations as operation set due_at = clock.at
       from concerned, ${schema}.ledger_now() as clock (at)
       where (operation.tenant, operation.operation_id) = (concerned.tenant, concerned.operation_id)
     )
     select ${RECORD}, ${waitingOf(schema, column)} as waiting from ended as pause`,
    [kind, name],
  );
  const [row] = rows;
  if (!row) return { resumed: null, waiting: 0 };
  const { waiting, ...record } = row;
  return { resumed: record, waiting };
}

/** The oldest first. */
export async function listPauses({ schema, pool }: Database): Promise<readonly PauseSummary[]> {
  const { rows } = await pool.query<PauseSummary>(
    `select ${RECORD}, case kind
       when 'tool' then ${waitingOf(schema, 'tool')} else ${waitingOf(schema, 'provider')} end as waiting
     from ${schema}.pauses as pause order by created_at, kind, name`,
  );
  return rows;
}

/** A name that was mistyped looks like one that is new: only the latest operations are asked, however many there are. */
const LATEST = 10_000;

/** Whether any of the latest operations is of that tool or provider. */
export async function isNameInUse({ schema, pool }: Database, { kind, name }: Pause): Promise<boolean> {
  const { rows } = await pool.query<{ known: boolean }>(
    `select exists (
       select from (select ${columnOf(kind)} as name from ${schema}.operations
         order by created_at desc, tenant desc, operation_id desc limit ${LATEST}) as latest
       where name = $1
     ) as known`,
    [name],
  );
  return rows[0]?.known ?? false;
}

/** Throws PauseInvalidError: callers in JavaScript may give anything. */
function checkPause({ kind, name }: Pause): void {
  if (kind !== 'tool' && kind !== 'provider') throw new PauseInvalidError('Say what to pause: a tool or a provider.');
  if (!isText(name, NAME_MAX) || /\p{Cc}/u.test(name)) {
    throw new PauseInvalidError(`Name the ${kind}, on one line and with up to ${NAME_MAX} characters.`);
  }
}

const RECORD = `pause.kind, pause.name, pause.paused_by as by, pause.note,
  ${epochMs('pause.created_at')} as since`;

type NameColumn = 'tool' | 'provider';

/** Spelled out, since a column's name is no parameter. */
function columnOf(kind: Pause['kind']): NameColumn {
  return kind === 'tool' ? 'tool' : 'provider';
}

function waitingOf(schema: string, column: NameColumn): string {
  return `(select count(*)::int from ${schema}.operations
    where state = 'registered' and waits_for is not null and operations.${column} = pause.name)`;
}
