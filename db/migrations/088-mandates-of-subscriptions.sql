-- The mandate that a Pix recurring subscription is charged by. `mandate` is a copy of what decides its billing, `{state,
-- qrExpiresAt, interval, recurringAmount_centavos, minAmount_centavos, allowsRetries}`. It changes under the lock of the
-- subscription, so a reader that waited for this lock does not read an old state.
alter table subscriptions add column mandate_id uuid;
alter table subscriptions add column mandate jsonb;
alter table subscriptions add constraint subscriptions_mandate check (
  (mandate_id is null) = (mandate is null) and (method <> 'pix_recurring' or mandate is not null));
alter table mandates add foreign key (slot, merchant_id, subscription_id)
  references subscriptions (slot, merchant_id, id);
