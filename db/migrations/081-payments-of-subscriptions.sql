-- A payment belongs to an order or to a subscription. One that charges a billing cycle has its number.
alter table payments add column subscription_id uuid;
alter table payments add column cycle integer;
alter table payments drop constraint payments_belong_to_one;
alter table payments add constraint payments_belong_to_one check (num_nonnulls(order_id, subscription_id) = 1);
alter table payments add constraint payments_cycle_of_subscription check (cycle is null or subscription_id is not null);
alter table payments add foreign key (slot, merchant_id, subscription_id, cycle)
  references subscription_invoices (slot, merchant_id, subscription_id, cycle);
-- A cycle is paid once. A refund does not make it possible to charge the cycle again.
create unique index payments_one_paid_per_cycle on payments (slot, merchant_id, subscription_id, cycle)
  where captured_centavos > 0 and cycle is not null;
-- A cycle has one open attempt.
create unique index payments_one_open_per_cycle on payments (slot, merchant_id, subscription_id, cycle)
  where status in ('scheduled', 'waiting_payment', 'processing', 'AUTHORIZED') and cycle is not null;
create index payments_of_subscription on payments (slot, merchant_id, subscription_id, created_at desc, id desc)
  where subscription_id is not null;
