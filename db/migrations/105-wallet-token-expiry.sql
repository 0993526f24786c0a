-- When a used wallet token stops being accepted, by the acquirer. The service then refuses it without its row, and a job
-- deletes the row. Null for tokens that were used before this column existed.
alter table used_wallet_tokens add column expires_at timestamptz;
create index used_wallet_tokens_expiry on used_wallet_tokens (slot, expires_at);
