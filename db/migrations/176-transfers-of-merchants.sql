-- The entries of account `merchant`, also of a merchant whose recipients get nearly everything.
create index ledger_transfers_of_merchants on ledger_transfers (slot, merchant_id, created_at, id)
  where 'merchant' in (debit, credit);
