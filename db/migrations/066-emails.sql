-- E-mails to buyers. A receipt is queued in the transaction in which the money of a payment arrives, and a job sends it. It
-- is deleted 30 days after it was written.
create table emails (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('receipt')),
  to_address text not null,
  language text not null check (language in ('pt', 'en')),
  -- What the e-mail shows besides the payment, as it was when it was queued.
  details jsonb not null,
  status text not null check (status in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  -- Wall time of the next attempt.
  due_at timestamptz,
  -- Why the last attempt failed.
  error text,
  -- The e-mail as it was sent. Stored in the sandbox only.
  content jsonb,
  -- By the merchant's clock.
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, payment_id, kind),
  foreign key (slot, merchant_id, payment_id) references payments (slot, merchant_id, id),
  check ((status = 'queued') = (due_at is not null)),
  check ((status = 'sent') = (sent_at is not null))
);
create index emails_due on emails (slot, due_at) where due_at is not null;
create index emails_list on emails (slot, merchant_id, created_at desc, id desc);
