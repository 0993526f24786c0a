-- A merchant is created by assisted onboarding, approved or suspended by the operator, and never deleted.
-- Its slot is drawn once and leads every key of every row that it will ever own.
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
  -- Sealed by the vault: the 32-character key of the AES form, and the private key of the JWE form.
  encryption_key_sealed bytea not null,
  private_key_sealed bytea not null,
  public_key_jwk jsonb not null,
  -- Settings of this merchant alone; null means the plan's or the product's default.
  rate_limit_per_minute integer check (rate_limit_per_minute > 0),
  webhook_retries_ms bigint[],
  dunning_days integer[],
  notification_secret_sealed bytea,
  -- The next recipient's number: recipients count 1, 2, 3 … per merchant.
  next_recipient_number bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id)
);

-- The sandbox clock of a merchant that has moved it; no row means wall time. One row a merchant, updated in place.
-- While `target` is set the advance `advance_id` is under way and the merchant's time stands at `pinned_at`;
-- `leased_until` (wall time) tells whether a process is still at it. Deleted by a reset of the sandbox.
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
-- Advances under way: what the job looks for whose lease has run out.
create index merchant_clocks_advancing on merchant_clocks (leased_until, slot) where target is not null;

-- A key is created by the operator, shown once, and lives until it is revoked; revoked rows stay as a record.
-- Only a keyed hash of its value is kept.
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
-- Who calls: one row by slot (which the key tells) and hash.
create index api_keys_by_hash on api_keys (slot, key_hash);

-- How many requests a key made in the current minute: one row a key and minute, taken in small lots by each
-- process, deleted by the clean-up a few minutes later. Unlogged: after a crash the count starts again. Failures to
-- open encrypted cards are counted here too, by the second and under an id of their own (db/cards/card-failures.ts).
create unlogged table rate_windows (
  slot smallint not null,
  merchant_id uuid not null,
  key_id uuid not null,
  minute timestamptz not null,
  used integer not null check (used >= 0),
  primary key (slot, merchant_id, key_id, minute)
);

-- The keys under which the vault seals card numbers and secrets, each itself sealed by a master key of the
-- configuration. Rotation adds a version; an old one is deleted when no row is sealed by it any more.
-- This table belongs to no merchant.
create table vault_keys (
  version integer primary key check (version between 1 and 65535),
  wrapped_key bytea not null,
  created_at timestamptz not null
);
