-- Which request to the model's endpoint brought a step's answer, so that its vendor's support can find it.

alter table steps
  add column client_request_id text,
  add column model_request_id text;
comment on column steps.client_request_id is
  'What the request whose answer is stored here said as X-Client-Request-Id. A new one each send, and never a key. '
  'Null where a release before this migration stored the answer.';
comment on column steps.model_request_id is
  'The endpoint''s own ID of that request (request-id, x-request-id); null where its answer brought none.';
