-- A plan that replaces the present one when the charge of the difference is approved: `{paymentId, plan}`. The outcome of the
-- charge is not known yet.
alter table subscriptions add column pending_upgrade jsonb;
