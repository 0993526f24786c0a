-- The logo of a payment link: fetched once from the merchant's address, and shown at checkout from our own. Written when
-- `logo_url` is set, fetched again when it gets another value, deleted when it is removed.
create table payment_link_logos (
  slot smallint not null,
  merchant_id uuid not null,
  link_id uuid not null,
  -- The link's `logo_url`.
  url text not null,
  -- When the next attempt to fetch it is due (wall time). Null after the last attempt.
  due_at timestamptz,
  attempts smallint not null default 0,
  -- Null until it is fetched, and if it cannot be had.
  content_type text check (content_type in ('image/png', 'image/jpeg', 'image/webp', 'image/gif')),
  bytes bytea check (octet_length(bytes) <= 512 * 1024),
  -- The beginning of the bytes' SHA-256. Part of the address, so that browsers can keep the logo.
  version text,
  primary key (slot, merchant_id, link_id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  foreign key (slot, merchant_id, link_id) references payment_links (slot, merchant_id, id),
  check (num_nulls(content_type, bytes, version) in (0, 3)),
  check (due_at is null or bytes is null)
);
create index payment_link_logos_due on payment_link_logos (slot, due_at) where due_at is not null;
create index payment_link_logos_slots_due on payment_link_logos (due_at, slot) where due_at is not null;
