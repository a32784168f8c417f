-- Conversations: who spoke, what was asked, what the model answered and planned, and what its calls brought. Histories
-- of workflows carry references to these rows. Appends are unique on their place; the first write wins.

create table sessions (
  tenant text not null,
  session_id text not null,
  customer text not null,
  created_at timestamptz not null,
  primary key (tenant, session_id)
);
comment on table sessions is 'One conversation. Its customer is set by trusted code when it is opened, and never changes.';

create table turns (
  tenant text not null,
  session_id text not null,
  turn integer not null,
  request_key text not null,
  message json not null,
  created_at timestamptz not null,
  outcome text check (outcome in ('answered', 'step_limit', 'failed', 'cancelled')),
  reply json,
  ended_at timestamptz,
  primary key (tenant, session_id, turn),
  unique (tenant, session_id, request_key)
);
comment on table turns is 'One message and the run of the agent that answers it.';
comment on column turns.turn is 'From 1, in the order of the messages.';
comment on column turns.request_key is 'The sender''s key for the message: the same one twice is one turn.';
comment on column turns.message is 'A JSON string: json keeps characters that text cannot.';
comment on column turns.outcome is 'How the turn ended; null while it runs.';
comment on column turns.reply is 'A JSON string, what the customer was told; null while the turn runs.';
comment on column turns.ended_at is 'Null while the turn runs.';

create table steps (
  tenant text not null,
  session_id text not null,
  turn integer not null,
  step integer not null,
  answer json not null,
  plan json,
  created_at timestamptz not null,
  primary key (tenant, session_id, turn, step)
);
comment on table steps is 'One model call of a turn.';
comment on column steps.answer is 'The model''s answer, as it is shown to it again. Stored before it is planned.';
comment on column steps.plan is 'Its calls with operation ID and generation; null until they are planned, then fixed.';

create table results (
  tenant text not null,
  session_id text not null,
  turn integer not null,
  step integer not null,
  position integer not null,
  result json not null,
  created_at timestamptz not null,
  primary key (tenant, session_id, turn, step, position)
);
comment on table results is 'What one call of a step told the model. The first write wins: a call has one truth.';
