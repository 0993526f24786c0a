-- The last day (São Paulo) whose settlement file was compared with a merchant's ledger. The row is written when the first
-- comparison begins, and each later comparison moves it one day ahead.
create table reconciled_days (
  slot smallint not null,
  merchant_id uuid not null,
  day date not null,
  -- Until then, one process compares the next day, or the acquirer is not asked again for its file.
  leased_until timestamptz not null,
  primary key (slot, merchant_id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
