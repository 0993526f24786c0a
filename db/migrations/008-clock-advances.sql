-- One row per advance of a sandbox clock: written when it begins, never changed. It is what a repeated request finds
-- its advance by, so it stays for a day; then the next advance deletes it, with its steps. A reset deletes all.
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

-- What ran in an advance: one row per step, written in the transaction that did it, deleted with its advance.
-- Ids are v7 of the merchant's time, so that they sort as the steps ran.
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
