-- A payment has the method's name on the wire.
alter table simulator.payments drop constraint payments_method_check;
update simulator.payments set method = 'credit_card' where method = 'card';

alter table simulator.planned rename to scheduled_events;
alter table simulator.scheduled_events rename column happening to event;
alter index simulator.planned_due rename to scheduled_events_due;
alter index simulator.planned_of_payment rename to scheduled_events_of_payment;
comment on table simulator.scheduled_events is
  'Events of a payment that happen without a call, at a time of the account. A row is deleted when the event happens, or when it no longer can.';
