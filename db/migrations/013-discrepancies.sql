-- A report of the acquirer that does not fit our records: written in the transaction that finds it, while the payment
-- stays as it is. The operator closes it with a note. Never deleted, but by a reset of the sandbox.
create table discrepancies (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  -- Where it was found: `notification`, `answer` or `inquiry`.
  source text not null,
  -- One of domain/payments/discrepancy.ts.
  reason text not null,
  payment_id uuid,
  operation_id uuid,
  -- Our reference that the report carried.
  reference text not null,
  -- Names the report: the same one found again is the same discrepancy, also after it was closed.
  report_key text not null,
  -- Both sides. Never any card data.
  reported jsonb not null,
  recorded jsonb not null,
  status text not null default 'open' check (status in ('open', 'closed')),
  note text,
  -- Wall time, as is closed_at.
  created_at timestamptz not null,
  closed_at timestamptz,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, report_key),
  foreign key (slot, merchant_id, payment_id) references payments (slot, merchant_id, id),
  foreign key (slot, merchant_id, operation_id) references payment_operations (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((status = 'closed') = (closed_at is not null)),
  check ((status = 'closed') = (note is not null))
);
create index discrepancies_of_payment on discrepancies (slot, merchant_id, payment_id);
create index discrepancies_of_operation on discrepancies (slot, merchant_id, operation_id);

-- A notification can come before what it builds on. It then waits, since this (wall time), until the acquirer sends it
-- again; null: it was taken in.
alter table acquirer_notifications add column waiting_since timestamptz;
