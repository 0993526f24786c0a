-- A worker looks for the merchants of a slot that have due rows. It goes from each instant and merchant to the next one, and
-- passes all other rows.
create index subscriptions_due_merchants on subscriptions (slot, due_at, merchant_id) where due_at is not null;
drop index subscriptions_due;
create index payments_due_merchants on payments (slot, due_at, merchant_id) where due_at is not null;
drop index payments_due;
create index mandates_due_merchants on mandates (slot, due_at, merchant_id) where due_at is not null;
drop index mandates_due;
