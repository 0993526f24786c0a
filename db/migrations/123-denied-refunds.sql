-- A comparison with the settlement file of a day looks for the refunds that were denied around that day. Without this index it
-- reads all refunds of the merchant.
create index refunds_denied on refunds (slot, merchant_id, updated_at) where status = 'denied';
