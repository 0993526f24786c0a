-- Active links, and exhausted ones. The end of the key tells those that have expired and are not marked yet, without reading
-- rows.
create index payment_links_open on payment_links
  (slot, merchant_id, is_exhausted, created_at desc, id desc, coalesce(expires_at, 'infinity'))
  where state = 'active' and not is_expired;
create index payment_links_expired on payment_links (slot, merchant_id, created_at desc, id desc)
  where state = 'active' and is_expired;
-- Links that are to be marked when they expire.
create index payment_links_expiring on payment_links (slot, merchant_id, expires_at)
  where state = 'active' and not is_expired and expires_at is not null;
