-- A worker looks for due steps that charge nothing while a merchant is not approved. Without this index it reads all due
-- subscriptions of the merchant, which stay due until the approval.
create index subscriptions_due_without_charge on subscriptions (slot, merchant_id, due_at)
  where due_at is not null and due_step not in ('open_cycle', 'attempt', 'send');
