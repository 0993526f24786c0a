-- A refund says in the merchant's own words what it is for. Written once, with the refund.
alter table refunds add column reason text;
