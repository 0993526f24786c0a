-- The credential of the card in a wallet that was issued with a payment. One that only verified the card has the amount 0.
alter table simulator.payments add column credential text;
alter table simulator.payments drop constraint payments_amount_centavos_check;
alter table simulator.payments add constraint payments_amount_centavos_check check (
  amount_centavos > 0
  or (amount_centavos = 0 and captured_centavos = 0 and (mandate is not null or credential is not null)));
create unique index payments_by_credential on simulator.payments (account, credential) where credential is not null;
