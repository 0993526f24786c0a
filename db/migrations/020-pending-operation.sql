-- The capture, void or cancellation of a payment whose outcome is not known: written when it is requested, removed when
-- the payment moves on. With the status it is the payment's state (domain/payments/payment-state.ts).
--
-- It repeats what the pending row of payment_operations says, so that the statement that locks a payment can also read
-- its state. A join in that statement would show the operations as they were before it waited for the lock, and a
-- second statement would cost every order a look-up. An order never writes it.
alter table payments add column pending_operation text;

update payments p
   set pending_operation = case
         when o.kind = 'capture' then 'capture'
         when p.method = 'pix' then 'cancel'
         else 'void'
       end
  from payment_operations o
 where o.slot = p.slot and o.merchant_id = p.merchant_id and o.payment_id = p.id
   and o.state = 'pending' and o.kind in ('capture', 'cancel')
   and p.status in ('processing', 'pre_authorized', 'waiting_payment');

alter table payments add constraint payments_pending_operation_fits_status check (
  case pending_operation
    when 'capture' then status in ('pre_authorized', 'processing')
    when 'void' then status in ('pre_authorized', 'processing')
    when 'cancel' then status in ('waiting_payment', 'processing')
    else pending_operation is null
  end);
