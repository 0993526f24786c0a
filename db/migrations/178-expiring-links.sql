-- The expired links of a merchant, and the disabled ones. The end of the key tells the links that expire later, without
-- reading rows.
create index payment_links_expiring on payment_links (slot, merchant_id, created_at desc, id desc, expires_at)
  where state = 'active' and expires_at is not null;
create index payment_links_disabled on payment_links (slot, merchant_id, created_at desc, id desc)
  where state = 'disabled';
