-- The tables of the simulated acquirer. The service does not read or write them: it only sends requests over HTTP.
-- No card number, security code, holder, name or document is stored.

create table simulator.accounts (
  account text primary key,
  clock_offset_ms bigint not null default 0
);
comment on table simulator.accounts is
  'One row for each merchant whose clock was set or who has scheduled events; updated when the clock is moved, never deleted. The account''s time is wall time plus the offset.';

create table simulator.payments (
  account text not null,
  reference text not null,
  method text not null check (method in ('card', 'pix')),
  state text not null check (state in ('pending', 'open', 'authorized', 'captured', 'voided', 'expired', 'refused')),
  amount_centavos bigint not null check (amount_centavos > 0),
  captured_centavos bigint not null default 0,
  refunded_centavos bigint not null default 0,
  capture boolean not null,
  behaviour text not null,
  customer_id text not null,
  card_id text,
  card_first_6 text,
  card_last_4 text,
  txid text,
  expires_at timestamptz,
  end_to_end_id text,
  chargeback text not null default 'none' check (chargeback in ('none', 'requested', 'dispute', 'won', 'lost')),
  created_at timestamptz not null,
  primary key (account, reference),
  check (captured_centavos between 0 and amount_centavos),
  check (refunded_centavos between 0 and captured_centavos),
  check (state = 'captured' or captured_centavos = 0)
);
comment on table simulator.payments is
  'Inserted by an authorization or a charge, updated by later operations and events, deleted when the account is reset. refunded_centavos includes refunds in progress.';

create table simulator.operations (
  account text not null,
  reference text not null,
  kind text not null,
  status text not null check (status in ('booked', 'lost', 'sealed')),
  payment_reference text,
  amount_centavos bigint,
  outcome jsonb,
  first_answer jsonb,
  requested_at timestamptz,
  primary key (account, reference),
  check ((status = 'booked') = (outcome is not null))
);
comment on table simulator.operations is
  'One row for each reference: its operation has an outcome (booked), the request was lost on purpose (lost), or the reference is refused (sealed). Deleted when the account is reset. outcome is the current one; first_answer is the first one, if it was different.';

create index operations_of_payment on simulator.operations (account, payment_reference)
  where payment_reference is not null;

create table simulator.script_steps (
  account text not null,
  position bigint generated always as identity,
  script_id text not null,
  step integer not null,
  customer_id text,
  card_id text,
  operation text not null,
  outcome text not null,
  primary key (account, position),
  unique (account, script_id, step),
  check ((customer_id is null) <> (card_id is null))
);
comment on table simulator.script_steps is
  'Inserted with a script, one row for each outcome; deleted in the transaction of the operation that uses it.';

create table simulator.planned (
  account text not null,
  position bigint generated always as identity,
  due_at timestamptz not null,
  happening text not null,
  reason text,
  payment_reference text not null,
  operation_reference text,
  primary key (account, position)
);
comment on table simulator.planned is
  'Events of a payment that happen without a call, at a time of the account. A row is deleted when the event happens, or when it no longer can.';

create index planned_due on simulator.planned (account, due_at, position);
create index planned_of_payment on simulator.planned (account, payment_reference);

create table simulator.notifications (
  account text not null,
  id text not null,
  body text not null,
  copies smallint not null default 1,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  primary key (account, id)
);
comment on table simulator.notifications is
  'Inserted in the transaction of the change that it reports; deleted when its last copy was accepted. Times are wall time. Without next_attempt_at there are no more attempts.';

create index notifications_to_send on simulator.notifications (next_attempt_at) where next_attempt_at is not null;
