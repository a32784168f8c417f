-- The ledger: one clock, one row an operation, and its events. Unqualified names: the migration runner sets the
-- search path to the schema that was asked for.

create table clock (
  one_row boolean primary key default true check (one_row),
  ahead interval not null default interval '0'
);
comment on table clock is
  'How far the ledger''s clock is ahead of the server''s. Zero outside tests and demos: the one seam for time.';
comment on column clock.one_row is 'Keeps the table to one row.';
insert into clock default values;

-- clock_timestamp, not now(): a statement that waited for a lock must not carry the time at which it began to wait.
create function ledger_now() returns timestamptz
  language sql volatile
  begin atomic
    select date_trunc('milliseconds', clock_timestamp() + ahead) from clock;
  end;
comment on function ledger_now() is 'The only clock that rules and bounds are read from, to the millisecond.';

create table operations (
  tenant text not null,
  operation_id text not null,
  tool text not null,
  provider text not null,
  state text not null check (state in (
    'registered', 'submitted', 'accepted', 'unknown', 'confirmed', 'rejected', 'dropped', 'escalated'
  )),
  reason text,
  external_id text,
  resolved_by text check (resolved_by in ('answer', 'query', 'webhook', 'fence', 'person')),
  generation integer not null,
  key text,
  attempts integer not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, operation_id)
);
comment on table operations is
  'One row an operation: the fold of its events, for finding. The events are the truth; this row can be made again.';
comment on column operations.operation_id is 'Computed from the business content; printable ASCII; for ever.';
comment on column operations.state is 'Without a clock: "submitted" may be read as unknown once its bounds are over.';
comment on column operations.reason is 'Why, in words; null where the state needs no reason.';
comment on column operations.external_id is 'The provider''s number for the effect; null while none is known.';
comment on column operations.resolved_by is 'Who settled it; null while it is not settled.';
comment on column operations.key is 'The current generation''s idempotency key; null where nothing was registered.';
comment on column operations.attempts is 'Attempts of the current generation.';
comment on column operations.version is 'Number of events: every write names the one it was decided on.';

create table events (
  tenant text not null,
  operation_id text not null,
  seq integer not null,
  at timestamptz not null,
  kind text not null,
  data json not null,
  primary key (tenant, operation_id, seq)
);
comment on table events is
  'What happened to an operation, append-only. No foreign key: both rows are written by one statement that hangs on '
  'the operation''s version, and the check would cost a lock on every append.';
comment on column events.seq is 'From 1, without gaps.';
comment on column events.at is 'The ledger''s time of the commit''s statement.';
comment on column events.data is
  'The whole event. json, not jsonb: requests and answers are kept to the letter, NUL and lone surrogates included.';
