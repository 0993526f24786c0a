-- The due date of a boleto, `YYYY-MM-DD`; null for every other payment.
alter table simulator.payments add column due_date text;
