-- A page of invoices reads the payments of its cycles only, also those that failed, which the unique indexes leave out.
create index payments_of_cycles on payments (slot, merchant_id, subscription_id, cycle) where cycle is not null;
