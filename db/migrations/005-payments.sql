-- What a buyer agreed to pay for, under the merchant's own code. Inserted once and never changed. Its status follows from
-- its payment.
create table orders (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  code text not null,
  customer_id uuid not null,
  mcc text not null,
  amount_centavos bigint not null check (amount_centavos > 0),
  description text,
  notification_url text,
  items jsonb not null default '[]',
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, code),
  foreign key (slot, merchant_id, customer_id) references customers (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);

-- A payment: inserted as `processing` before the acquirer is called, moved by the state machine in domain/payments/, never
-- deleted. Amounts are centavos.
create table payments (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  hash text not null,
  order_id uuid,
  -- Null for payments of subscriptions, which have no order.
  order_code text,
  customer_id uuid not null,
  status text not null check (status in (
    'scheduled', 'waiting_payment', 'processing', 'pre_authorized', 'AUTHORIZED', 'paid', 'refused', 'expired',
    'canceled', 'refund_in_progress', 'partially_refunded', 'refunded',
    'chargeback_requested', 'chargeback_dispute', 'chargeback_lost')),
  method text not null,
  amount_centavos bigint not null check (amount_centavos > 0),
  currency text not null default 'BRL',
  installments smallint not null default 1 check (installments between 1 and 12),
  captured_centavos bigint not null default 0 check (captured_centavos between 0 and amount_centavos),
  refunded_centavos bigint not null default 0 check (refunded_centavos >= 0),
  -- Reserved by refunds in progress. Refunded and reserved amounts never exceed the captured amount.
  refunding_centavos bigint not null default 0 check (refunding_centavos >= 0),
  -- Our reference of the authorization or charge at the acquirer.
  reference text not null,
  mcc text not null,
  card_id uuid,
  card_brand text,
  card_first_6 text,
  card_last_4 text,
  statement_descriptor text,
  manual_capture boolean not null default false,
  authorization_code text,
  pix_txid text,
  pix_qr_code text,
  -- The image of the QR code as a data URL. Stored, because drawing it takes longer than reading it.
  pix_qr_image text,
  pix_expires_at timestamptz,
  pix_end_to_end_id text,
  refusal_code text,
  refusal_message text,
  refusal_retryable boolean,
  retry_attempts smallint not null default 0,
  billing_date date,
  metadata jsonb not null default '{}',
  -- [{status, at}] in order, append-only. In this row, so that a payment is read as one row.
  history jsonb not null,
  -- When the next step of the payment is due, such as the expiry of a Pix (merchant's time); null when none is due.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, order_id),
  unique (slot, merchant_id, hash),
  unique (slot, merchant_id, reference),
  foreign key (slot, merchant_id, order_id) references orders (slot, merchant_id, id),
  foreign key (slot, merchant_id, customer_id) references customers (slot, merchant_id, id),
  foreign key (slot, merchant_id, card_id) references cards (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check (refunded_centavos + refunding_centavos <= captured_centavos),
  check (status not in ('paid', 'refund_in_progress', 'partially_refunded', 'refunded',
                        'chargeback_requested', 'chargeback_dispute', 'chargeback_lost') or captured_centavos > 0)
);
create index payments_newest on payments (slot, merchant_id, created_at desc, id desc);
create index payments_of_customer on payments (slot, merchant_id, customer_id, created_at desc, id desc);
create index payments_by_status on payments (slot, merchant_id, status, created_at desc, id desc);
create index payments_by_order_code on payments (slot, merchant_id, order_code);
create index payments_by_txid on payments (slot, merchant_id, pix_txid) where pix_txid is not null;
create index payments_by_reference on payments (slot, reference);
create index payments_due on payments (slot, due_at) where due_at is not null;
create index payments_slots_due on payments (due_at, slot) where due_at is not null;
create index payments_due_of_merchant on payments (slot, merchant_id, due_at) where due_at is not null;

-- One call to the acquirer: inserted as `pending` before the call, settled once with its outcome, never deleted. The
-- reconciler settles a pending row at `check_at` (wall time).
create table payment_operations (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  refund_id uuid,
  kind text not null check (kind in ('authorize', 'pix_charge', 'capture', 'cancel', 'refund')),
  amount_centavos bigint not null check (amount_centavos > 0),
  reference text not null,
  state text not null check (state in ('pending', 'approved', 'refused')),
  -- Of refused operations only.
  refusal_code text,
  attempts integer not null default 0,
  check_at timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, reference),
  foreign key (slot, merchant_id, payment_id) references payments (slot, merchant_id, id),
  check ((state = 'pending') = (settled_at is null)),
  check ((state = 'pending') = (check_at is not null)),
  check ((kind = 'refund') = (refund_id is not null))
);
-- One operation of a payment at a time: of a simultaneous capture and cancellation, exactly one is inserted.
create unique index payment_operations_one_open on payment_operations (slot, merchant_id, payment_id)
  where state = 'pending' and kind <> 'refund';
create index payment_operations_of_payment on payment_operations (slot, merchant_id, payment_id, created_at);
create index payment_operations_by_reference on payment_operations (slot, reference);
create index payment_operations_due on payment_operations (slot, check_at) where state = 'pending';
create index payment_operations_slots_due on payment_operations (check_at, slot) where state = 'pending';

-- A refund: inserted as `in_progress` with its amount reserved on the payment, ends as `succeeded` or `denied`.
create table refunds (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  amount_centavos bigint not null check (amount_centavos > 0),
  status text not null check (status in ('in_progress', 'succeeded', 'denied')),
  reference text not null,
  denial_code text,
  denial_message text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, reference),
  foreign key (slot, merchant_id, payment_id) references payments (slot, merchant_id, id)
);
create index refunds_of_payment on refunds (slot, merchant_id, payment_id, created_at desc, id desc);

-- Notifications of the acquirer that were applied, so that a repeated one is ignored. Deleted after 90 days.
create table acquirer_notifications (
  slot smallint not null,
  merchant_id uuid not null,
  id text not null,
  type text not null,
  reference text not null,
  received_at timestamptz not null,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
create index acquirer_notifications_by_age on acquirer_notifications (slot, received_at);
