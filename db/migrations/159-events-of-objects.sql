-- The events of a subscription, too, are found by their object. The object of the events of a payment is the payment, so the
-- index by object replaces the one by payment: an event of a payment costs as much as before.
create index events_of_object on events (slot, merchant_id, object_id, created_at desc, id desc);
drop index events_of_payment;
