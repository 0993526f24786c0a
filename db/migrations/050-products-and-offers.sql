-- Something that the merchant sells. Created and updated by the merchant, never deleted: its offers name it.
create table products (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
create index products_newest on products (slot, merchant_id, created_at desc, id desc);
create index products_by_name on products (slot, merchant_id, name, created_at desc, id desc);

-- A price of a product. Created active, archived and restored by the merchant, never deleted: purchases name it.
create table offers (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  hash text not null,
  product_id uuid not null,
  type text not null check (type in ('one_time', 'recurring')),
  name text not null,
  state text not null check (state in ('active', 'archived')),
  -- For a recurring offer, the price of the last band.
  amount_centavos bigint not null check (amount_centavos >= 0),
  billing_interval text check (billing_interval in ('monthly', 'quarterly', 'half-yearly', 'yearly')),
  trial_days integer not null check (trial_days between 0 and 365),
  -- Bands of the price ladder, `{start, end, amount_centavos}`; empty for an offer that is paid once.
  cycles jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, hash),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  foreign key (slot, merchant_id, product_id) references products (slot, merchant_id, id),
  check ((type = 'recurring') = (billing_interval is not null)),
  check ((type = 'recurring') = (jsonb_array_length(cycles) > 0)),
  check (type = 'recurring' or (trial_days = 0 and amount_centavos > 0))
);
create index offers_of_product on offers (slot, merchant_id, product_id, created_at desc, id desc);
-- The checkout knows the hash alone, which begins with the slot.
create index offers_by_hash on offers (slot, hash);
