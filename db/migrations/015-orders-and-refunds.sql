-- A refund says in the merchant's own words what it is for. Written once, with the refund.
alter table refunds add column reason text;

-- Lists of orders, newest first: all of a merchant, and those of one customer. The second also serves the look-up of what
-- refers to a customer, as orders_of_customer did.
create index orders_newest on orders (slot, merchant_id, created_at desc, id desc);
create index orders_by_customer on orders (slot, merchant_id, customer_id, created_at desc, id desc);
drop index orders_of_customer;

-- What an event is about, beside its object_id. Every event so far is about a payment; new ones say so themselves.
alter table events add column object_type text not null default 'payment';
