-- Mandates of Pix Automático. A mandate belongs to the payment that was requested with it, whose amount is 0 if the payer
-- only authorizes the mandate. A charge refers to that payment.
alter table simulator.payments
  -- {state, chargeCode, recurringAmount_centavos, minAmount_centavos}; null for a payment without a mandate.
  add column mandate jsonb,
  add column mandate_reference text;
alter table simulator.payments drop constraint payments_amount_centavos_check;
alter table simulator.payments add constraint payments_amount_centavos_check
  check (amount_centavos > 0 or (amount_centavos = 0 and mandate is not null and captured_centavos = 0));
create index payments_of_mandate on simulator.payments (account, mandate_reference) where mandate_reference is not null;
