-- The lines of the acquirer's settlement files, as they were when the file of a day was last compared with the ledger, so that a
-- line that comes again or late is recognized. Written with the comparison, replaced by the next one of the same day, deleted
-- by a reset of the sandbox only.
create table settlement_lines (
  slot smallint not null,
  merchant_id uuid not null,
  -- Our reference of the payment or the refund.
  reference text not null,
  type text not null check (type in ('capture', 'refund', 'dispute', 'dispute_reversed')),
  -- Of the file, São Paulo.
  day date not null,
  -- Among the lines of the file with this reference and type.
  ordinal integer not null,
  amount_centavos bigint not null,
  -- By the acquirer's clock.
  occurred_at timestamptz not null,
  primary key (slot, merchant_id, reference, type, day, ordinal),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
create index settlement_lines_by_day on settlement_lines (slot, merchant_id, day);
