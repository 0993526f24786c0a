-- The page of a boleto is found by its hash alone, which begins with the slot. Only boletos have such a page.
create index payments_bank_slips_by_hash on payments (slot, hash) where method = 'bank_slip';
