-- A dispute of a payment, which the buyer opened with the bank. Inserted by the move of the payment that opens it, moved
-- with the payment, deleted by a reset of the sandbox only.
create table disputes (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  status text not null check (status in ('requested', 'dispute', 'won', 'lost')),
  -- What the payment had captured and not refunded. A refund that completes during the dispute reduces it.
  amount_centavos bigint not null check (amount_centavos >= 0),
  reason text not null,
  -- By the merchant's clock.
  evidence_due_at timestamptz not null,
  -- The texts that the acquirer accepted, the oldest first. Part of the row, so that a list reads no second table.
  evidence jsonb not null default '[]' check (jsonb_typeof(evidence) = 'array'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  decided_at timestamptz,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id, payment_id) references payments (slot, merchant_id, id),
  check ((status in ('won', 'lost')) = (decided_at is not null))
);
-- A payment that won its dispute can be disputed again.
create unique index disputes_one_of_payment on disputes (slot, merchant_id, payment_id) where status <> 'won';
create index disputes_newest on disputes (slot, merchant_id, created_at desc, id desc);
create index disputes_by_status on disputes (slot, merchant_id, status, created_at desc, id desc);
create index disputes_of_payment on disputes (slot, merchant_id, payment_id, created_at desc, id desc);
