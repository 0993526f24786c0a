-- A merchant is created by the operator, approved or suspended by the operator, and never deleted. Its slot is chosen at
-- random once, and every key of its rows begins with it.
create table merchants (
  slot smallint not null check (slot between 0 and 255),
  merchant_id uuid not null,
  name text not null,
  legal_name text not null,
  document text,
  status text not null check (status in ('pending', 'approved', 'suspended')),
  plan text not null,
  mccs text[] not null check (cardinality(mccs) > 0),
  payment_methods text[] not null,
  currencies text[] not null default '{BRL}',
  -- Sealed by the vault: the key of 32 characters for the AES form, and the private key for the JWE form.
  encryption_key_sealed bytea not null,
  private_key_sealed bytea not null,
  public_key_jwk jsonb not null,
  -- Settings of this merchant; null means the default of the plan or the product.
  rate_limit_per_minute integer check (rate_limit_per_minute > 0),
  webhook_retries_ms bigint[],
  dunning_days integer[],
  notification_secret_sealed bytea,
  -- The number of the next recipient: 1, 2, 3 … for each merchant.
  next_recipient_number bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id)
);

-- The sandbox clock of a merchant, created when the merchant first moves it; without a row the merchant has wall time. One
-- row for each merchant, updated in place. While `target` is set, the advance `advance_id` is in progress and the
-- merchant's time is `pinned_at`; until `leased_until` (wall time) a process works on it. Deleted by a reset of the
-- sandbox.
create table merchant_clocks (
  slot smallint not null,
  merchant_id uuid not null,
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  pinned_at timestamptz,
  target timestamptz,
  advance_id uuid,
  leased_until timestamptz,
  lease_id uuid,
  primary key (slot, merchant_id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((target is null) = (pinned_at is null)),
  check ((target is null) = (leased_until is null)),
  check ((target is null) = (lease_id is null)),
  check (target is null or advance_id is not null),
  check (pinned_at <= target)
);
-- For the job that finds advances whose lease has expired.
create index merchant_clocks_advancing on merchant_clocks (leased_until, slot) where target is not null;

-- A key is created by the operator, shown once, and valid until it is revoked. Revoked rows are kept. Only a keyed hash of
-- the value is stored.
create table api_keys (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  last_4 text not null,
  key_hash bytea not null,
  status text not null check (status in ('active', 'disabled', 'suspended', 'revoked')),
  permissions text[],
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, key_hash),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
-- For the look-up of a key: by the slot, with which the key begins, and the hash.
create index api_keys_by_hash on api_keys (slot, key_hash);

-- The requests of a key in a minute: one row for each key and minute, in which processes reserve requests, deleted by the
-- clean-up a few minutes later. Unlogged: after a crash the count starts again. Failures to decrypt cards are counted here
-- too, for each second and with an id derived from the key (db/cards/card-failures.ts).
create unlogged table rate_windows (
  slot smallint not null,
  merchant_id uuid not null,
  key_id uuid not null,
  minute timestamptz not null,
  used integer not null check (used >= 0),
  primary key (slot, merchant_id, key_id, minute)
);

-- The keys with which the vault seals card numbers and secrets, sealed with a master key of the configuration. A rotation
-- adds a version and deletes old versions with which no value is sealed any more. This table belongs to no merchant.
create table vault_keys (
  version integer primary key check (version between 1 and 65535),
  wrapped_key bytea not null,
  created_at timestamptz not null
);
