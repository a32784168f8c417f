-- What reconciliation works from: when an operation is due for a look, who is to be told, and what is paused.

alter table operations
  add column waits_for text check (waits_for in ('resume', 'redo')),
  add column due_at timestamptz,
  add column checks integer not null default 0,
  add column checked_at timestamptz;
comment on column operations.waits_for is
  'What a registered operation waits for before reconciliation sends it; null where it waits for nothing.';
comment on column operations.due_at is
  'When reconciliation looks at it next, or until when somebody who claimed it works on it. Null where nothing is left to do.';
comment on column operations.checks is 'Looks of reconciliation since something new was recorded: they grow rarer.';
comment on column operations.checked_at is 'The last look of reconciliation; looks that tell nothing new are no events.';

create index operations_due on operations (due_at, tool) where due_at is not null;
comment on index operations_due is 'Polling costs what is due, not what is stored.';

-- What an earlier release left open is found out as well.
update operations set due_at = ledger_now()
where state in ('registered', 'submitted', 'accepted', 'unknown', 'escalated');

create table outbox (
  tenant text not null,
  operation_id text not null,
  kind text not null check (kind in ('settled', 'escalated')),
  session_id text not null default '',
  version integer not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  primary key (tenant, operation_id, kind, session_id)
);
comment on table outbox is
  'What is still to be told, written by the save that made it so: "settled" to a session, "escalated" to people.';
comment on column outbox.session_id is 'Whom a settlement is told; empty where people are told.';
comment on column outbox.version is 'The operation''s version after that save; with the rest it names the message for ever.';
comment on column outbox.due_at is 'When it is tried next.';
create index outbox_due on outbox (due_at);
create index outbox_of_session on outbox (tenant, session_id) where kind = 'settled';

create table pauses (
  kind text not null check (kind in ('tool', 'provider')),
  name text not null,
  paused_by text not null,
  note text not null,
  created_at timestamptz not null,
  primary key (kind, name)
);
comment on table pauses is 'Tools and providers that send nothing until somebody resumes them. Queries go on.';
