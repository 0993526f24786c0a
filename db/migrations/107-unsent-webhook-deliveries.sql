-- Deliveries of an endpoint that were not attempted yet: one row for each endpoint and fan-out, so that a delivery gets a row in
-- `webhook_deliveries` only once, with its first result. That row is written by the statement that counts the delivery as sent
-- here, or deletes the row after the last one. Endpoints that fail or have faults get their deliveries in `webhook_deliveries` at
-- once.
create table unsent_webhook_deliveries (
  slot smallint not null,
  merchant_id uuid not null,
  -- The endpoint.
  queue_id uuid not null,
  id uuid not null,
  url text not null,
  -- In the order in which they are sent; three lists of the same length, `total`.
  delivery_ids uuid[] not null,
  event_ids uuid[] not null,
  events text[] not null,
  total integer not null,
  -- How many of the first ones have a result.
  sent integer not null default 0,
  created_at timestamptz not null,
  primary key (slot, merchant_id, queue_id, id),
  check (sent >= 0 and sent < total)
);
create index unsent_webhook_deliveries_newest on unsent_webhook_deliveries (slot, merchant_id, created_at desc);
