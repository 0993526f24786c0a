-- A card that is entered again is compared with a few cards of the customer that have its number: one that was charged, and the
-- newest ones. The index finds them in this order, however many there are.
drop index cards_by_fingerprint;
create index cards_by_fingerprint
  on cards (slot, merchant_id, fingerprint, customer_id, authorized_at desc nulls last, id desc)
  where deleted_at is null;
