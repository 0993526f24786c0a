-- The figures of a plan change, as they were shown to the merchant. Inserted by a preview, never changed, deleted after a day.
create table plan_previews (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  offer_id uuid not null,
  effective text not null check (effective in ('next_cycle', 'immediate')),
  delta_centavos bigint not null,
  next_charge_on date not null,
  next_charge_amount_centavos bigint not null check (next_charge_amount_centavos >= 0),
  -- By the merchant's clock.
  created_at timestamptz not null,
  -- Wall time.
  kept_until timestamptz not null,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id, subscription_id) references subscriptions (slot, merchant_id, id),
  foreign key (slot, merchant_id, offer_id) references offers (slot, merchant_id, id)
);
create index plan_previews_old on plan_previews (slot, kept_until);
create index plan_previews_of_subscription on plan_previews (slot, merchant_id, subscription_id);
create index plan_previews_of_offer on plan_previews (slot, merchant_id, offer_id);
