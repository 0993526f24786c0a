-- A delivery's id is a UUID version 7 of the time at which it was created, so ids alone order the lists, and find what has
-- expired. The deliveries of an event are found by the time of its fan-out, which is that of its position in the feed. Each
-- delivery that succeeds writes three entries of indexes instead of five.
drop index webhook_deliveries_newest;
drop index webhook_deliveries_of_event;
drop index webhook_deliveries_of_endpoint;
create index webhook_deliveries_of_endpoint on webhook_deliveries (slot, merchant_id, endpoint_id, id);
drop index webhook_deliveries_by_name;
create index webhook_deliveries_by_name on webhook_deliveries (slot, merchant_id, event, id);
drop index webhook_deliveries_not_succeeded;
create index webhook_deliveries_not_succeeded on webhook_deliveries (slot, merchant_id, status, id)
  where status <> 'succeeded';
