-- Rules for payments, operations and refunds that only the code has checked before.

-- The method and the currency of a payment are known, and it belongs to exactly one order.
alter table payments add constraint payments_method_known check (
  method in ('credit_card', 'debit_card', 'pix', 'bank_slip', 'pix_recurring', 'browser_wallet'));
alter table payments add constraint payments_currency_known check (currency in ('BRL'));
alter table payments add constraint payments_belong_to_one check (num_nonnulls(order_id) = 1);

-- A card payment has a card, a Pix payment has a txid.
alter table payments add constraint payments_method_has_means check (
  case
    when method in ('credit_card', 'debit_card')
      then num_nonnulls(card_id, card_brand, card_first_6, card_last_4) = 4 and pix_txid is null
    when method = 'pix' then num_nonnulls(pix_txid, pix_expires_at) = 2 and card_id is null
    else true
  end);

-- A refused or denied record has a reason.
alter table payments add constraint payments_refused_has_reason check (
  num_nonnulls(refusal_code, refusal_message, refusal_retryable) in (0, 3)
  and (status <> 'refused' or refusal_code is not null));
alter table payment_operations add constraint payment_operations_refused_has_reason check (
  (state = 'refused') = (refusal_code is not null));
alter table refunds add constraint refunds_denied_has_reason check (
  status <> 'denied' or num_nonnulls(denial_code, denial_message) = 2);

-- The history is part of the payment's row, so the database cannot check that earlier steps did not change. It checks that
-- the last step is the status. The events, which never change, record every step.
alter table payments add constraint payments_history_ends_with_status check (
  coalesce(history -> -1 ->> 'status' = status, false));

-- Of a payment, one capture or one cancellation succeeds, and not both.
create unique index payment_operations_one_end on payment_operations (slot, merchant_id, payment_id)
  where state = 'approved' and kind in ('capture', 'cancel');

-- The amount of an operation does not exceed the amount of its payment. Each operation repeats the amount of its
-- payment, which the foreign key below ensures. The key needs an index on payments. It replaces the index on the
-- reference, which no query uses any more.
drop index if exists payments_by_reference;
alter table payments add constraint payments_id_and_amount unique (slot, merchant_id, id, amount_centavos);
alter table payment_operations add column payment_amount_centavos bigint;
update payment_operations o
   set payment_amount_centavos = p.amount_centavos
  from payments p
 where p.slot = o.slot and p.merchant_id = o.merchant_id and p.id = o.payment_id;
alter table payment_operations alter column payment_amount_centavos set not null;
alter table payment_operations add constraint payment_operations_amount_fits check (
  case
    when kind in ('authorize', 'pix_charge', 'cancel') then amount_centavos = payment_amount_centavos
    else amount_centavos <= payment_amount_centavos
  end);
alter table payment_operations add constraint payment_operations_of_payment_and_amount
  foreign key (slot, merchant_id, payment_id, payment_amount_centavos)
  references payments (slot, merchant_id, id, amount_centavos);
-- Implied by the key above.
alter table payment_operations drop constraint payment_operations_slot_merchant_id_payment_id_fkey;

-- The operation of a refund has the refund's id, and the same payment and amount.
alter table payment_operations add constraint payment_operations_refund_id check (refund_id = id);
alter table refunds add constraint refunds_payment_and_amount
  unique (slot, merchant_id, payment_id, id, amount_centavos);
alter table payment_operations add constraint payment_operations_of_refund
  foreign key (slot, merchant_id, payment_id, refund_id, amount_centavos)
  references refunds (slot, merchant_id, payment_id, id, amount_centavos);

-- The result of an operation: inserted when the operation is settled, never changed, deleted by a reset of the sandbox
-- only. Its foreign keys keep the state of the operation and the status of the refund from changing.
alter table payment_operations add constraint payment_operations_id_and_state unique (slot, merchant_id, id, state);
alter table refunds add constraint refunds_id_and_status unique (slot, merchant_id, id, status);
create table payment_operation_results (
  slot smallint not null,
  merchant_id uuid not null,
  operation_id uuid not null,
  state text not null check (state in ('approved', 'refused')),
  -- Of the refund, which has the operation's id; null for all other operations.
  refund_status text,
  refusal_code text,
  -- Wall time.
  settled_at timestamptz not null,
  primary key (slot, merchant_id, operation_id),
  foreign key (slot, merchant_id, operation_id, state) references payment_operations (slot, merchant_id, id, state),
  -- Deferred: the refund is settled by a later statement of the transaction.
  foreign key (slot, merchant_id, operation_id, refund_status) references refunds (slot, merchant_id, id, status)
    deferrable initially deferred,
  check ((state = 'refused') = (refusal_code is not null)),
  check (refund_status is null or refund_status = case state when 'approved' then 'succeeded' else 'denied' end)
);
insert into payment_operation_results (slot, merchant_id, operation_id, state, refund_status, refusal_code, settled_at)
select o.slot, o.merchant_id, o.id, o.state, r.status, o.refusal_code, o.settled_at
  from payment_operations o
  left join refunds r on r.slot = o.slot and r.merchant_id = o.merchant_id and r.id = o.refund_id
 where o.state <> 'pending';

-- Events and results never change: the role that runs the migrations owns the tables, and gives up the right to update
-- them. A superuser keeps it. A foreign key to an event locks its row, which requires the right to update a column: the
-- slot, which is part of the key and never changes.
revoke update on events from current_user;
revoke update on payment_operation_results from current_user;
grant update (slot) on events to current_user;
grant update (slot) on payment_operation_results to current_user;
