-- A report of the acquirer that does not match our records: inserted in the transaction that finds it, which does not
-- change the payment. The operator closes it with a note. Deleted by a reset of the sandbox only.
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
  -- Identifies the report: when the same report is found again, it is the same discrepancy, also after it was closed.
  report_key text not null,
  -- The values of both sides, without card data.
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

-- A notification can arrive before the one that it follows. It then waits until the acquirer sends it again. The time since
-- which it waits (wall time); null if it was applied.
alter table acquirer_notifications add column waiting_since timestamptz;
