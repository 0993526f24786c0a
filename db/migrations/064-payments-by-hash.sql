-- Buyers see a payment by its hash alone, which begins with the slot: at a checkout page, and as a printed boleto.
create index payments_by_hash on payments (slot, hash);
drop index payments_bank_slips_by_hash;
