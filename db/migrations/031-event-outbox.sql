-- An event that the fan-out has not seen yet. Written by the statement that writes the event, and deleted by the fan-out. It has no
-- foreign key, since it is written together with what it names.
create table event_outbox (
  slot smallint not null,
  merchant_id uuid not null,
  event_id uuid not null,
  primary key (slot, merchant_id, event_id)
);

-- One row a merchant, made by its first fan-out. Its lock lets one fan-out of the merchant run at a time.
create table event_feeds (
  slot smallint not null,
  merchant_id uuid not null,
  last_position bigint not null default 0,
  primary key (slot, merchant_id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);

-- The order in which a merchant's events can be read. Positions are given by the fan-out, after the event was committed and under
-- the lock of the feed: who sees a position sees all before it. Deleted with the events, after 13 months.
create table event_positions (
  slot smallint not null,
  merchant_id uuid not null,
  position bigint not null,
  event_id uuid not null,
  created_at timestamptz not null,
  primary key (slot, merchant_id, position),
  unique (slot, merchant_id, event_id)
);
create index event_positions_age on event_positions using brin (created_at) with (pages_per_range = 16);
create index events_age on events using brin (created_at) with (pages_per_range = 16);
