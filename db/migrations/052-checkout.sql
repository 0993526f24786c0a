-- Payments that buyers make at a checkout page. Such a payment names the link or the offer that was bought. Its amount
-- includes the interest that the buyer pays for installments.
alter table payments
  add column payment_link_id uuid,
  add column offer_id uuid,
  add column interest_centavos bigint not null default 0;
alter table payments add constraint payments_interest_fits check (interest_centavos between 0 and amount_centavos);
alter table payments add constraint payments_one_origin check (num_nonnulls(payment_link_id, offer_id) <= 1);
alter table payments add constraint payments_of_link
  foreign key (slot, merchant_id, payment_link_id) references payment_links (slot, merchant_id, id);
alter table payments add constraint payments_of_offer
  foreign key (slot, merchant_id, offer_id) references offers (slot, merchant_id, id);
create index payments_by_link on payments (slot, merchant_id, payment_link_id, created_at desc, id desc)
  where payment_link_id is not null;
create index payments_by_offer on payments (slot, merchant_id, offer_id, created_at desc, id desc)
  where offer_id is not null;

-- What the buyer typed at the checkout page; null for an order of the merchant. The customer may have other data.
alter table orders add column buyer jsonb;

-- Interest in basis points of the amount, by number of installments: {"2": 199}. Null: no interest is set.
alter table merchants add column installment_interest jsonb;

-- Card payments that buyers tried at checkout pages and that were not approved, by minute, to stop people who test stolen
-- cards. A row counts the tries of one address, one card or one page. Deleted after the hour that counts. Unlogged: after a
-- crash the count starts again.
create unlogged table checkout_tries (
  slot smallint not null,
  merchant_id uuid not null,
  -- Derived from what is counted.
  counter_id uuid not null,
  minute timestamptz not null,
  tries integer not null check (tries >= 0),
  primary key (slot, merchant_id, counter_id, minute)
);
create index checkout_tries_by_minute on checkout_tries (slot, minute);
