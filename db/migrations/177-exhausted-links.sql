-- The exhausted links of a merchant. A column of its own, because a condition of an index on `payments_count` would make
-- each payment of a link write to all indexes of the table. The end of the key tells the expired ones, without reading rows.
alter table payment_links add column is_exhausted boolean not null
  generated always as (coalesce(payments_count >= max_payments, false)) stored;
create index payment_links_exhausted on payment_links
  (slot, merchant_id, created_at desc, id desc, coalesce(expires_at, 'infinity')) where state = 'active' and is_exhausted;
