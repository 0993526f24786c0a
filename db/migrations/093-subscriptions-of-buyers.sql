-- Subscriptions that buyers start at a checkout page. `buyer` is what the buyer typed, as in `orders`; null for a
-- subscription that the merchant created.
alter table subscriptions
  add column payment_link_id uuid,
  add column buyer jsonb;
alter table subscriptions add constraint subscriptions_of_link
  foreign key (slot, merchant_id, payment_link_id) references payment_links (slot, merchant_id, id);
create index subscriptions_by_link on subscriptions (slot, merchant_id, payment_link_id)
  where payment_link_id is not null;
alter table subscriptions add constraint subscriptions_link_has_buyer
  check (payment_link_id is null or buyer is not null);
-- The page of a buyer's subscription knows the code alone, which begins with the slot.
create index subscriptions_of_buyers_by_code on subscriptions (slot, code) where buyer is not null;
