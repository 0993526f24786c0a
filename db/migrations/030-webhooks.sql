-- An address to which events are delivered. A merchant creates, disables and deletes it; the service disables one that failed
-- for days, and says why in `disabled_reason`. `failing_since` is set by the first failed attempt after a success.
create table webhook_endpoints (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  description text,
  status text not null check (status in ('active', 'disabled')),
  disabled_reason text,
  -- Sealed by the vault. Null: deliveries are not signed.
  secret_sealed bytea,
  previous_secret_sealed bytea,
  previous_secret_expires_at timestamptz,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check (disabled_reason is null or status = 'disabled'),
  check ((previous_secret_sealed is null) = (previous_secret_expires_at is null))
);
create index webhook_endpoints_newest on webhook_endpoints (slot, merchant_id, created_at desc, id desc);

-- One event on its way to one destination, written by the fan-out, or for a ping. Each attempt updates it; it is deleted 30 days
-- after it was created. It outlives its endpoint, so there is no foreign key. All times are wall time.
create table webhook_deliveries (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  queue_id uuid not null,
  -- Null: a notification URL.
  endpoint_id uuid,
  url text not null,
  event text not null,
  -- Null: a ping.
  event_id uuid,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  error_code text,
  error_message text,
  next_attempt_at timestamptz,
  schedule_step integer not null default 0 check (schedule_step >= 0),
  attempts jsonb not null default '[]',
  response_body text,
  created_at timestamptz not null,
  primary key (slot, merchant_id, id),
  check ((next_attempt_at is not null) = (status = 'pending')),
  check ((error_code is null) = (error_message is null))
);
-- What a queue sends next.
create index webhook_deliveries_pending on webhook_deliveries (slot, merchant_id, queue_id, next_attempt_at, id)
  where status = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (slot, merchant_id, created_at desc, id desc);
create index webhook_deliveries_of_endpoint on webhook_deliveries
  (slot, merchant_id, endpoint_id, created_at desc, id desc);
create index webhook_deliveries_of_event on webhook_deliveries (slot, merchant_id, event_id, created_at desc, id desc)
  where event_id is not null;
create index webhook_deliveries_by_name on webhook_deliveries (slot, merchant_id, event, created_at desc, id desc);
create index webhook_deliveries_not_succeeded on webhook_deliveries (slot, merchant_id, status, created_at desc, id desc)
  where status <> 'succeeded';
-- Finds what is to be deleted. Rows are stored nearly in the order of their creation, so a few pages index the whole table.
create index webhook_deliveries_age on webhook_deliveries using brin (created_at) with (pages_per_range = 16);

-- The pending deliveries of one destination: a row is there while it has any. A process that delivers holds a lease on it, so that
-- one destination has one process at a time, and a slow one delays no other. `due_at`: when the first of them is due.
create table webhook_queues (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  due_at timestamptz not null,
  leased_until timestamptz,
  lease_id uuid,
  primary key (slot, merchant_id, id),
  check ((leased_until is null) = (lease_id is null))
);
-- A queue under a lease counts as due when the lease ends, so claims do not read past it.
create index webhook_queues_due on webhook_queues (slot, greatest(due_at, leased_until));
create index webhook_queues_slots on webhook_queues (greatest(due_at, leased_until), slot);
