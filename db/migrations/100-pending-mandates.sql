-- A mandate that replaces the means of payment of a subscription when the payer authorizes it:
-- `{method, mandateId, paymentId, terms}`, with the terms as in `mandate`. Null if the subscription waits for none.
alter table subscriptions add column pending_mandate jsonb;
