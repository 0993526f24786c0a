-- What a status says of the money, held by the database too: what was never captured has no money to give back, and how
-- far it was given back is what the status tells. A dispute may open at any of these points.
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

-- Never a second authorization or charge for one payment.
create unique index payment_operations_one_beginning on payment_operations (slot, merchant_id, payment_id)
  where kind in ('authorize', 'pix_charge');

-- Payers' banks know a charge by its txid alone.
drop index payments_by_txid;
create unique index payments_by_txid on payments (slot, merchant_id, pix_txid) where pix_txid is not null;
