-- An address where buyers pay. Created by the merchant, disabled and enabled by it, never deleted: payments name it. Whether
-- it has expired, or its payments are used up, follows from `expires_at` and the counts.
create table payment_links (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  hash text not null,
  state text not null check (state in ('active', 'disabled')),
  title text not null,
  description text,
  amount_type text not null check (amount_type in ('fixed', 'customer_defined')),
  -- Null if the buyer enters the amount.
  amount_centavos bigint check (amount_centavos > 0),
  payment_methods text[] not null check (cardinality(payment_methods) > 0),
  max_installments integer not null check (max_installments between 1 and 12),
  interest_mode text not null check (interest_mode in ('none', 'installments')),
  interest_free_installments integer not null,
  card_capture boolean not null,
  boleto_expiration_days integer not null,
  pix_expiration_minutes integer not null,
  -- By the merchant's clock.
  expires_at timestamptz,
  max_payments bigint check (max_payments > 0),
  collect_phone boolean not null,
  -- As the merchant set it; a boleto needs an address in any case.
  require_address boolean not null,
  soft_descriptor text,
  notification_url text,
  send_email_receipt boolean not null,
  logo_url text,
  brand_color text,
  recurrence_interval text check (recurrence_interval in ('monthly', 'quarterly', 'half-yearly', 'yearly')),
  recurrence_trial_days integer check (recurrence_trial_days > 0),
  -- Places that were paid for, and those of payments that are not decided yet. They are the numbers of rows of
  -- payment_link_places in these states.
  payments_count bigint not null default 0 check (payments_count >= 0),
  payments_under_way bigint not null default 0 check (payments_under_way >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, hash),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((amount_type = 'fixed') = (amount_centavos is not null)),
  check (interest_free_installments between 1 and max_installments),
  check (recurrence_interval is null or (amount_type = 'fixed' and 'credit_card' = any(payment_methods))),
  check (recurrence_trial_days is null or recurrence_interval is not null)
);
create index payment_links_newest on payment_links (slot, merchant_id, created_at desc, id desc);
-- The checkout knows the hash alone, which begins with the slot.
create index payment_links_by_hash on payment_links (slot, hash);

-- The place of one payment among those that a link accepts; of a recurring link, that of one subscription. Taken before
-- the acquirer is asked. Counted when the money arrives, released when it will not; counted also if it arrives after that.
create table payment_link_places (
  slot smallint not null,
  merchant_id uuid not null,
  link_id uuid not null,
  -- The id of the payment or of the subscription.
  holder_id uuid not null,
  state text not null check (state in ('under_way', 'counted', 'released')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, link_id, holder_id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  foreign key (slot, merchant_id, link_id) references payment_links (slot, merchant_id, id)
);
