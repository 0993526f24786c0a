-- The merchant's reason for a refund. Inserted with the refund, never changed.
alter table refunds add column reason text;

-- Lists of orders, newest first: all of a merchant, and those of one customer. The second also serves the look-up of the
-- orders that refer to a customer, like orders_of_customer before.
create index orders_newest on orders (slot, merchant_id, created_at desc, id desc);
create index orders_by_customer on orders (slot, merchant_id, customer_id, created_at desc, id desc);
drop index orders_of_customer;

-- The type of the object that an event is about. All earlier events are about payments.
alter table events add column object_type text not null default 'payment';
