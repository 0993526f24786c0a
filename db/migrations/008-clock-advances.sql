-- One row for each advance of a sandbox clock: inserted when it begins, never changed. It is kept for a day, so that a
-- repeated request finds the advance that it began. After that, the next advance deletes the row and its steps. A reset
-- deletes all rows.
create table clock_advances (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  -- Merchant's time. Later than every event before it, so the events of the advance are those from here to target.
  begun_at timestamptz not null,
  target timestamptz not null check (target >= begun_at),
  -- Wall time.
  created_at timestamptz not null,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);

-- The steps of an advance: one row for each, inserted in the transaction of the step, deleted with the advance. The ids are
-- UUIDs v7 of the merchant's time, so that they sort in the order of the steps.
create table clock_steps (
  slot smallint not null,
  merchant_id uuid not null,
  advance_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  step text not null,
  object_id uuid,
  primary key (slot, merchant_id, advance_id, id),
  foreign key (slot, merchant_id, advance_id) references clock_advances (slot, merchant_id, id)
);
