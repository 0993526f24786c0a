-- The domains where merchants show wallet buttons. A domain is verified when it serves the content of the row at a
-- well-known path; next_check_at (wall time) is set while it is verified. Deleted by the merchant; a reset of the sandbox
-- keeps it.
create table wallet_domains (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  domain_name text not null,
  status text not null check (status in ('pending', 'verified', 'failed')),
  verification_content text not null,
  failed_checks smallint not null default 0 check (failed_checks >= 0),
  verified_at timestamptz,
  next_check_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, domain_name),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((status = 'verified') = (verified_at is not null)),
  check ((status = 'verified') = (next_check_at is not null))
);
create index wallet_domains_to_check on wallet_domains (slot, next_check_at) where next_check_at is not null;
create index slots_with_wallet_domains_to_check on wallet_domains (next_check_at, slot)
  where next_check_at is not null;

-- Which merchant has a domain name verified. A wallet session names only the domain, so slot is derived from the name,
-- and merchant_slot is the slot of the merchant. The row is written when a merchant verifies the domain, is overwritten when
-- another one does, and is deleted when the domain is deleted or fails its checks.
create table verified_wallet_domains (
  slot smallint not null,
  merchant_id uuid not null,
  domain_name text not null,
  merchant_slot smallint not null,
  domain_id uuid not null,
  primary key (slot, domain_name)
);
