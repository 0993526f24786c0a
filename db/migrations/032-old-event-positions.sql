-- Existing events are read in the order of their creation. They are not delivered.
insert into event_positions (slot, merchant_id, position, event_id, created_at)
select slot, merchant_id, row_number() over (partition by slot, merchant_id order by created_at, id), id, created_at from events;
insert into event_feeds (slot, merchant_id, last_position)
select slot, merchant_id, max(position) from event_positions group by slot, merchant_id;
