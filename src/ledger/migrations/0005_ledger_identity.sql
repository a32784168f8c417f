-- Which ledger this is. A task queue is served by workers; one that has another ledger must not take a turn of this one.

create table identity (
  one_row boolean primary key default true check (one_row),
  ledger_id text not null default left(replace(gen_random_uuid()::text, '-', ''), 12)
);
comment on table identity is 'Names this ledger, for ever: a copy that is restored elsewhere keeps its name.';
comment on column identity.one_row is 'Keeps the table to one row.';
comment on column identity.ledger_id is 'Short, since every activity of a turn carries it in Temporal''s history.';
insert into identity default values;
