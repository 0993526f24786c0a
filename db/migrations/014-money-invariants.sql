-- What only the code has held so far of payments, operations and refunds, held by the database too.

-- A payment's method and currency are known, and it belongs to exactly one order. (Subscriptions will join the count.)
alter table payments add constraint payments_method_known check (
  method in ('credit_card', 'debit_card', 'pix', 'bank_slip', 'pix_recurring', 'browser_wallet'));
alter table payments add constraint payments_currency_known check (currency in ('BRL'));
alter table payments add constraint payments_belong_to_one check (num_nonnulls(order_id) = 1);

-- What it is paid with: a card payment has a card, a Pix a txid.
alter table payments add constraint payments_method_has_means check (
  case
    when method in ('credit_card', 'debit_card')
      then num_nonnulls(card_id, card_brand, card_first_6, card_last_4) = 4 and pix_txid is null
    when method = 'pix' then num_nonnulls(pix_txid, pix_expires_at) = 2 and card_id is null
    else true
  end);

-- Whatever is refused or denied has a reason.
alter table payments add constraint payments_refused_has_reason check (
  num_nonnulls(refusal_code, refusal_message, refusal_retryable) in (0, 3)
  and (status <> 'refused' or refusal_code is not null));
alter table payment_operations add constraint payment_operations_refused_has_reason check (
  (state = 'refused') = (refusal_code is not null));
alter table refunds add constraint refunds_denied_has_reason check (
  status <> 'denied' or num_nonnulls(denial_code, denial_message) = 2);

-- The history is appended in the payment's own row, so the database cannot tell that no earlier step was changed. It
-- holds that the last step is the status; the events, which never change, name every step.
alter table payments add constraint payments_history_ends_with_status check (
  coalesce(history -> -1 ->> 'status' = status, false));

-- Of a payment that was authorized, one capture or one cancellation succeeds, and not both.
create unique index payment_operations_one_end on payment_operations (slot, merchant_id, payment_id)
  where state = 'approved' and kind in ('capture', 'cancel');

-- No operation is about more than its payment: each carries the payment's amount, which the key below pins. The index on
-- payments takes the place of one that nothing reads: references are looked up among the operations.
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
-- Says less than the key before.
alter table payment_operations drop constraint payment_operations_slot_merchant_id_payment_id_fkey;

-- The operation of a refund has the refund's id, and is about that refund, of the same payment and amount.
alter table payment_operations add constraint payment_operations_refund_id check (refund_id = id);
alter table refunds add constraint refunds_payment_and_amount
  unique (slot, merchant_id, payment_id, id, amount_centavos);
alter table payment_operations add constraint payment_operations_of_refund
  foreign key (slot, merchant_id, payment_id, refund_id, amount_centavos)
  references refunds (slot, merchant_id, payment_id, id, amount_centavos);

-- The result of an operation: written with its settlement, never changed, deleted by a reset of the sandbox alone. While
-- it is there, its keys hold the state of the operation and the status of its refund.
alter table payment_operations add constraint payment_operations_id_and_state unique (slot, merchant_id, id, state);
alter table refunds add constraint refunds_id_and_status unique (slot, merchant_id, id, status);
create table payment_operation_results (
  slot smallint not null,
  merchant_id uuid not null,
  operation_id uuid not null,
  state text not null check (state in ('approved', 'refused')),
  -- Of a refund, whose id is the operation's; null for every other operation.
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

-- Events and results never change: the role that runs the migrations, and so owns the tables, gives up the right to
-- change them. A superuser keeps it. A key that refers to an event locks its row, which takes the right to update one of its
-- columns: the slot, which is part of the key and changes nowhere.
revoke update on events from current_user;
revoke update on payment_operation_results from current_user;
grant update (slot) on events to current_user;
grant update (slot) on payment_operation_results to current_user;
