-- Conversations that are told later: turns that begin with a settlement instead of a message.

alter table sessions
  add column task_queue text,
  add column max_steps integer;
comment on column sessions.task_queue is 'Where its turns run; null where a release before this migration opened it.';
comment on column sessions.max_steps is 'Model calls its turns may take; null as above.';

alter table turns
  add column kind text not null default 'message' check (kind in ('message', 'follow_up')),
  add column delivered_at timestamptz,
  add column hinted_at timestamptz;
comment on column turns.kind is 'Whether a customer''s message began it or what became of an operation.';
comment on column turns.delivered_at is 'Of follow-ups: when the hook took what was said. Null while it has not, and in other turns.';
comment on column turns.request_key is
  'The sender''s key for the message: the same one twice is one turn. Of follow-ups: operation and version, with a "/".';
comment on column turns.hinted_at is
  'When reconciliation last woke its session for it: a wake-up can be lost, and the row is the truth.';
create index turns_unfinished on turns (created_at) where outcome is null or (kind = 'follow_up' and delivered_at is null);
create index turns_open on turns (tenant, session_id, turn) where outcome is null;

alter table results
  add column operation_id text,
  add column code text;
comment on column results.operation_id is 'The operation whose standing the result told; null where it told none.';
comment on column results.code is 'What it told of it, as the code of a reply.';
