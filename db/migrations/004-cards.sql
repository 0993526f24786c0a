-- A tokenized card of a customer. The number is sealed by the vault; the first 6 and last 4 digits are in plain text. The
-- row of a deleted card is kept, because earlier payments refer to it, without number, fingerprint and network token.
create table cards (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  holder text not null,
  brand text not null,
  first_6 text not null check (first_6 ~ '^[0-9]{6}$'),
  last_4 text not null check (last_4 ~ '^[0-9]{4}$'),
  exp_month text not null check (exp_month ~ '^(0[1-9]|1[0-2])$'),
  exp_year text not null check (exp_year ~ '^[0-9]{2}$'),
  number_sealed bytea,
  -- Keyed hash of merchant and number: equal numbers of a merchant have equal fingerprints, and only the service can
  -- compute them.
  fingerprint bytea,
  -- Set by the first authorized payment with the card. After that a second tokenization is a duplicate.
  authorized_at timestamptz,
  network_token_status text not null default 'none'
    check (network_token_status in ('none', 'requested', 'active', 'failed')),
  network_token_sealed bytea,
  -- Our reference of the request to the acquirer. A retry has the same reference, so that the acquirer treats it as the
  -- same request.
  network_token_reference text,
  -- Wall time at which the background job requests the network token, or retries; null when no request is due.
  network_token_due_at timestamptz,
  network_token_attempts smallint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id, customer_id) references customers (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((deleted_at is null) = (number_sealed is not null)),
  check ((deleted_at is null) = (fingerprint is not null)),
  check ((network_token_status = 'active') = (network_token_sealed is not null)),
  check ((network_token_status = 'requested') = (network_token_due_at is not null)),
  check (network_token_due_at is null or network_token_reference is not null)
);
create index cards_of_customer on cards (slot, merchant_id, customer_id, created_at desc, id desc);
create index cards_by_fingerprint on cards (slot, merchant_id, fingerprint) where deleted_at is null;
create index cards_due_network_token on cards (slot, network_token_due_at) where network_token_due_at is not null;
create index cards_slots_due_network_token on cards (network_token_due_at, slot)
  where network_token_due_at is not null;

-- The sealed security code, from tokenization to the first authorization. Deleted by that authorization, or by the clean-up
-- after 15 minutes.
create table card_security_codes (
  slot smallint not null,
  merchant_id uuid not null,
  card_id uuid not null,
  code_sealed bytea not null,
  expires_at timestamptz not null,
  primary key (slot, merchant_id, card_id),
  foreign key (slot, merchant_id, card_id) references cards (slot, merchant_id, id)
);
create index card_security_codes_by_expiry on card_security_codes (slot, expires_at);
create index card_security_codes_slots_by_expiry on card_security_codes (expires_at, slot);
