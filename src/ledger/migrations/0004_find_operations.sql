-- Finding operations for people and programs: newest first, and as they stand at the moment of reading.

alter table operations add column in_flight_until timestamptz;
comment on column operations.in_flight_until is
  'Until then an attempt of a submitted operation may still be answered; past it the row reads as unknown. Null where '
  'none is open.';

create index operations_newest on operations (created_at desc, tenant desc, operation_id desc);
comment on index operations_newest is 'Lists go from the newest to the oldest, a page from where the last one ended.';

create index operations_not_settled on operations (created_at desc, tenant desc, operation_id desc)
  where state in ('registered', 'submitted', 'accepted', 'unknown', 'escalated');
comment on index operations_not_settled is 'What is looked for among millions of settled ones.';
