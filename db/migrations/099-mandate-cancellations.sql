-- When the cancellation of a mandate that its subscription no longer uses is due at the acquirer, by the merchant's clock. It
-- is set with the change of the subscription and cleared when the cancellation is written as an operation, so that a crash
-- between the two cannot lose it. Null for a mandate that is used, that has ended, or whose cancellation is under way. One that
-- expired here has it if its payer authorized it all the same.
alter table mandates add column due_at timestamptz;
alter table mandates add constraint mandates_due check (due_at is null or state not in ('rejected', 'canceled'));

-- Mandates that earlier versions left open.
update mandates m set due_at = s.updated_at
  from subscriptions s
 where s.slot = m.slot and s.merchant_id = m.merchant_id and s.id = m.subscription_id
   and m.state in ('created', 'authorized')
   and (s.status in ('canceled', 'ended', 'completed') or s.mandate_id is distinct from m.id);

create index mandates_due on mandates (slot, due_at) where due_at is not null;
create index mandates_slots_due on mandates (due_at, slot) where due_at is not null;
create index mandates_due_of_merchant on mandates (slot, merchant_id, due_at) where due_at is not null;
