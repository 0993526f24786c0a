-- One row for each event, inserted in the transaction of the change, never changed. `data` is the resource as a GET
-- returned it at that time, stored as text so that every delivery is identical.
create table events (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  event text not null,
  object_id uuid not null,
  -- Set for the events of a payment.
  payment_id uuid,
  data json not null,
  created_at timestamptz not null,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
create index events_newest on events (slot, merchant_id, created_at desc, id desc);
create index events_of_payment on events (slot, merchant_id, payment_id, created_at desc, id desc)
  where payment_id is not null;
create index events_by_name on events (slot, merchant_id, event, created_at desc, id desc);
