-- Faults that a merchant set for an endpoint of the sandbox. Null: none. Set and removed by the merchant, and removed by a reset.
alter table webhook_endpoints add column faults jsonb;
