-- One row for each Idempotency-Key of a merchant: created when the first request begins, answered in the transaction that
-- does the work (or after it, if nothing was written), deleted 24 hours later. `resource_id` is the id of the record that
-- the operation creates, so that a second run after a crash finds it.
create table idempotency_keys (
  slot smallint not null,
  merchant_id uuid not null,
  key text not null,
  -- Operation and path parameters, and a keyed hash of the body.
  operation text not null,
  body_hash bytea not null,
  resource_id uuid not null,
  -- The run that may answer. A run whose lease was taken over cannot commit.
  lease_id uuid not null,
  leased_until timestamptz not null,
  response_status smallint check (response_status between 200 and 499),
  response_sealed bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (slot, merchant_id, key),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((response_status is null) = (response_sealed is null))
);
create index idempotency_keys_by_expiry on idempotency_keys (slot, expires_at);
