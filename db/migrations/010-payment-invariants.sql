-- The amounts that each status requires: a payment without a capture has no refunds, and the status follows from the
-- refunded amount. A dispute can be opened in any of these states.
alter table payments add constraint payments_status_fits_amounts check (
  case
    when status = 'paid' then captured_centavos > 0 and refunded_centavos = 0 and refunding_centavos = 0
    when status = 'refund_in_progress' then refunding_centavos > 0
    when status = 'partially_refunded'
      then refunding_centavos = 0 and refunded_centavos > 0 and refunded_centavos < captured_centavos
    when status = 'refunded'
      then refunding_centavos = 0 and captured_centavos > 0 and refunded_centavos = captured_centavos
    when status in ('chargeback_requested', 'chargeback_dispute', 'chargeback_lost') then captured_centavos > 0
    else captured_centavos = 0
  end);

-- At most one authorization or charge for a payment.
create unique index payment_operations_one_beginning on payment_operations (slot, merchant_id, payment_id)
  where kind in ('authorize', 'pix_charge');

-- The payers' banks identify a charge by its txid only.
drop index payments_by_txid;
create unique index payments_by_txid on payments (slot, merchant_id, pix_txid) where pix_txid is not null;
