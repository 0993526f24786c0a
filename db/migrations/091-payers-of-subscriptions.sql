-- `{document, address}` of the payer of a boleto, as sent when the subscription was created or its method was changed. Used
-- where the stored customer has none.
alter table subscriptions add column payer jsonb;
