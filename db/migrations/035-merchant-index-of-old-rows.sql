-- Expired rows are found with the indexes that lead with the merchant. After some months, each of these indexes would have led
-- to most pages of its table, because new rows use the space of deleted ones.
drop index webhook_deliveries_age;
drop index event_positions_age;
drop index events_age;
