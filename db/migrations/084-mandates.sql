-- A payer's permission to charge by Pix Automático. Inserted with the payment that requests it, moved by the state machine in
-- domain/payments/mandate-moves.ts under the lock of that payment, never deleted.
create table mandates (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- The payment with which it was requested. Its reference is also the mandate's.
  payment_id uuid not null,
  reference text not null,
  state text not null check (state in ('created', 'authorized', 'rejected', 'expired', 'canceled')),
  interval text not null check (interval in ('weekly', 'monthly', 'quarterly', 'half-yearly', 'yearly')),
  first_charge_on date not null,
  recurring_amount_centavos bigint check (recurring_amount_centavos > 0),
  min_amount_centavos bigint check (min_amount_centavos > 0),
  allows_retries boolean not null,
  statement text check (length(statement) <= 35),
  -- The id in Pix (idRec); null until the payer has authorized it.
  charge_code text,
  cancellation_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, payment_id),
  unique (slot, merchant_id, charge_code),
  foreign key (slot, merchant_id, payment_id) references payments (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check (num_nonnulls(recurring_amount_centavos, min_amount_centavos) < 2),
  check (charge_code is null or state in ('authorized', 'canceled')),
  check (cancellation_code is null or state = 'canceled')
);
create index mandates_of_subscription on mandates (slot, merchant_id, subscription_id, created_at desc);
