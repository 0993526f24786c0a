-- An authorization that is not captured is voided after 7 days. Those of before get the same time.
-- Written in UTC, because Citus refuses an update with an expression that depends on the time zone of the session.
update payments set due_at = (created_at at time zone 'UTC' + interval '7 days') at time zone 'UTC'
 where due_at is null
   and (status = 'pre_authorized' or (status = 'processing' and pending_operation in ('capture', 'void')));
