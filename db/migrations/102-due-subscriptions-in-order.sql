-- Many subscriptions of a merchant fall due at the same instant, and a worker reads them in batches, ordered by `due_at, id`.
-- Without the id in the index, each batch would sort all that are left.
create index subscriptions_due_in_order on subscriptions (slot, merchant_id, due_at, id) where due_at is not null;
drop index subscriptions_due_of_merchant;
