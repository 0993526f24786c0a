-- The acquirer is asked for the result of a charge by a mandate at 06:00 of the third day after its billing date, if it was not
-- notified. Charges that were sent before get the same time. It is written in UTC, because Citus refuses an update with an
-- expression that depends on the time zone of the session.
update payments set due_at = (billing_date + 3 + time '09:00') at time zone 'UTC'
 where due_at is null
   and method = 'pix_recurring'
   and details ->> 'role' = 'later_charge'
   and status in ('waiting_payment', 'processing');
