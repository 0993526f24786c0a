-- A customer who is charged in every billing cycle. Inserted with its status of the first day, moved by the state machines in
-- domain/subscriptions/, never deleted. Days are days of the merchant (America/Sao_Paulo); times are by the merchant's clock.
create table subscriptions (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  code text not null,
  status text not null check (status in (
    'payment_pending', 'trial_started', 'active', 'payment_approved', 'payment_refused', 'past_due', 'unpaid',
    'canceled', 'ended', 'completed')),
  method text not null check (method in ('credit_card', 'browser_wallet', 'bank_slip', 'pix', 'pix_recurring')),
  customer_id uuid not null,
  card_id uuid,
  mcc text not null,
  currency text not null default 'BRL' check (currency in ('BRL')),
  installments smallint not null check (installments between 1 and 12),
  statement_descriptor text,
  description text,
  notification_url text,
  items jsonb not null default '[]' check (jsonb_typeof(items) = 'array'),
  -- The lines of the request with the ids of their recipients, as payments have them.
  split jsonb check (jsonb_typeof(split) = 'array'),
  -- The offer of the present plan; null if the subscription has a plan of its own.
  offer_id uuid,
  interval text not null check (interval in ('weekly', 'monthly', 'quarterly', 'half-yearly', 'yearly')),
  -- Bands `{start, end, amount_centavos}`, copied when the subscription was created or its plan was changed.
  ladder jsonb not null check (jsonb_array_length(ladder) > 0),
  -- `{offerId, interval, ladder}`: replaces the plan when the next cycle is opened.
  pending_plan jsonb,
  -- `{baseCycle, baseDate, interval, anchorDay}`: gives the billing date of each cycle.
  schedule jsonb not null,
  start_at timestamptz not null,
  trial_days integer not null check (trial_days between 0 and 365),
  best_charge_day smallint check (best_charge_day between 1 and 31),
  -- Cycles are paid in order, so this is also the number of the latest paid one.
  paid_cycles integer not null check (paid_cycles >= 0),
  -- `{start, end, interval}` of the latest paid cycle.
  paid_period jsonb,
  -- The cycle that is being charged or is overdue, with its attempts. Its amounts are those of its invoice.
  open_cycle jsonb,
  credit_centavos bigint not null check (credit_centavos >= 0),
  last_attempt_on date,
  latest_payment_id uuid,
  cancellation_reason text,
  canceled_at timestamptz,
  -- When the access of a canceled subscription ends.
  ends_at timestamptz,
  ended_at timestamptz,
  -- The next step and its time; null while the subscription waits for the acquirer, or has ended.
  due_step text check (due_step in (
    'open_cycle', 'attempt', 'send', 'give_up', 'complete', 'end', 'expire_mandate')),
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, id),
  unique (slot, merchant_id, code),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  foreign key (slot, merchant_id, customer_id) references customers (slot, merchant_id, id),
  foreign key (slot, merchant_id, customer_id, card_id) references cards (slot, merchant_id, customer_id, id),
  foreign key (slot, merchant_id, offer_id) references offers (slot, merchant_id, id),
  check ((method = 'credit_card') = (card_id is not null)),
  check ((due_at is null) = (due_step is null)),
  check ((paid_cycles = 0) = (paid_period is null)),
  check (status <> 'canceled' or num_nonnulls(canceled_at, ends_at) = 2),
  check ((status in ('ended', 'completed')) = (ended_at is not null)),
  check (ended_at is null or due_at is null)
);
create index subscriptions_newest on subscriptions (slot, merchant_id, created_at desc, id desc);
create index subscriptions_by_status on subscriptions (slot, merchant_id, status, created_at desc, id desc);
create index subscriptions_of_customer on subscriptions (slot, merchant_id, customer_id, created_at desc, id desc);
create index subscriptions_of_offer on subscriptions (slot, merchant_id, offer_id, created_at desc, id desc);
create index subscriptions_of_card on subscriptions (slot, merchant_id, card_id) where card_id is not null;
create index subscriptions_due on subscriptions (slot, due_at) where due_at is not null;
create index subscriptions_slots_due on subscriptions (due_at, slot) where due_at is not null;
create index subscriptions_due_of_merchant on subscriptions (slot, merchant_id, due_at) where due_at is not null;

-- The invoice of a billing cycle. Inserted when the cycle is opened, moved with its subscription, never deleted.
create table subscription_invoices (
  slot smallint not null,
  merchant_id uuid not null,
  subscription_id uuid not null,
  cycle integer not null check (cycle > 0),
  id uuid not null,
  status text not null check (status in ('open', 'paid', 'past_due', 'uncollectible', 'void')),
  billing_date date not null,
  -- The billing date of the next cycle; the period does not include it.
  period_end date not null,
  -- Before the credit.
  amount_centavos bigint not null check (amount_centavos >= 0),
  credit_centavos bigint not null check (credit_centavos between 0 and amount_centavos),
  paid_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (slot, merchant_id, subscription_id, cycle),
  unique (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  foreign key (slot, merchant_id, subscription_id) references subscriptions (slot, merchant_id, id),
  check ((status = 'paid') = (paid_at is not null))
);
create index subscription_invoices_newest
  on subscription_invoices (slot, merchant_id, subscription_id, created_at desc, id desc);
