-- The ledger of each merchant: one row for each transfer from one account to another, so that an imbalance cannot be
-- written. Inserted by the statement that moves the payment, never changed, deleted by a reset of the sandbox only.
create table ledger_transfers (
  slot smallint not null,
  merchant_id uuid not null,
  -- By the merchant's clock.
  created_at timestamptz not null,
  -- The last hex digit is even: the entry of the debited account has this id, that of the credited account the next one.
  id uuid not null,
  -- Shared by all transfers of one move of a payment.
  transaction_id uuid not null,
  payment_id uuid not null,
  kind text not null check (kind in ('capture', 'fee', 'refund', 'dispute', 'chargeback')),
  debit text not null check (
    debit in ('merchant', 'recipient', 'acquirer_receivable', 'platform_fees', 'disputes')),
  credit text not null check (
    credit in ('merchant', 'recipient', 'acquirer_receivable', 'platform_fees', 'disputes')),
  -- Of the side that is a recipient. No transfer has two.
  recipient_id uuid,
  amount_centavos bigint not null check (amount_centavos > 0),
  -- The merchant's day from whose beginning on the transfer counts as available.
  available_on date not null,
  -- Of the payment or the refund: what the acquirer's settlement file names.
  reference text not null,
  primary key (slot, merchant_id, created_at, id),
  foreign key (slot, merchant_id, payment_id) references payments (slot, merchant_id, id),
  foreign key (slot, merchant_id, recipient_id) references recipients (slot, merchant_id, id),
  check (debit <> credit),
  check ((recipient_id is not null) = ('recipient' in (debit, credit)))
);
create index ledger_transfers_of_payment on ledger_transfers (slot, merchant_id, payment_id, created_at, id);
create index ledger_transfers_of_recipient on ledger_transfers (slot, merchant_id, recipient_id, created_at, id)
  where recipient_id is not null;
-- For a list of the entries of an account that few transfers have.
create index ledger_transfers_of_recipients on ledger_transfers (slot, merchant_id, created_at, id)
  where recipient_id is not null;
create index ledger_transfers_of_disputes on ledger_transfers (slot, merchant_id, created_at, id)
  where 'disputes' in (debit, credit);
create index ledger_transfers_by_reference on ledger_transfers (slot, merchant_id, reference);
-- As for events (014). To delete a payment or a recipient, Postgres looks for its transfers and locks them.
revoke update on ledger_transfers from current_user;
grant update (slot) on ledger_transfers to current_user;

-- The balance of the merchant and of each recipient, by the day on which it becomes available: the sum of the transfers.
-- Written with the transfers. A job moves the rows of past days into one row of the day 0001-01-01, so that reading a
-- balance costs the same for any number of transfers.
--
-- The payments of a merchant on one day change the same balance. `part` spreads them over 16 rows, so that they seldom
-- wait for each other.
create table ledger_balances (
  slot smallint not null,
  merchant_id uuid not null,
  account text not null check (account in ('merchant', 'recipient')),
  -- All zeros for the merchant: a key has no nulls.
  recipient_id uuid not null,
  available_on date not null,
  part smallint not null check (part between 0 and 15),
  balance_centavos bigint not null,
  primary key (slot, merchant_id, account, recipient_id, available_on, part),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id),
  check ((account = 'merchant') = (recipient_id = '00000000-0000-0000-0000-000000000000'))
) with (fillfactor = 50);
-- Finds past days.
create index ledger_balances_by_day on ledger_balances (slot, available_on, merchant_id);
