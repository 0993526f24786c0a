-- A payment by Pix Automático has a mandate. One that only asks for it has the amount 0, which no other payment has: it is
-- never captured.
alter table payments drop constraint payments_amount_centavos_check;
alter table payments add constraint payments_amount_centavos_check check (
  amount_centavos > 0
  or (amount_centavos = 0 and method = 'pix_recurring' and details ->> 'role' = 'authorization'
      and status in ('scheduled', 'AUTHORIZED', 'expired', 'refused', 'canceled')));
alter table payments drop constraint payments_method_has_details;
alter table payments add constraint payments_method_has_details check (
  case
    when method in ('credit_card', 'debit_card')
      then txid is null and num_nonnulls(card_id, details ->> 'brand', details ->> 'first6', details ->> 'last4') = 4
    when method = 'pix' then card_id is null and num_nonnulls(txid, details ->> 'expiresAt') = 2
    when method = 'bank_slip'
      then num_nonnulls(card_id, txid) = 0
        and num_nonnulls(details ->> 'dueDate', details ->> 'expiresAt', details ->> 'payer') = 3
    when method = 'pix_recurring'
      then card_id is null and details ->> 'mandateId' is not null
        and case details ->> 'role'
              when 'authorization' then txid is null and details ->> 'expiresAt' is not null and amount_centavos = 0
              when 'first_charge' then num_nonnulls(txid, details ->> 'expiresAt') = 2
              when 'later_charge' then txid is not null and billing_date is not null
              else false
            end
    else true
  end);

-- The request for a mandate has the amount of its payment, which can be 0, and so has the end of the mandate.
alter table payment_operations drop constraint payment_operations_amount_centavos_check;
alter table payment_operations add constraint payment_operations_amount_centavos_check
  check (amount_centavos > 0 or (amount_centavos = 0 and kind in ('mandate', 'cancel_mandate')));
drop index payment_operations_one_beginning;
create unique index payment_operations_one_beginning on payment_operations (slot, merchant_id, payment_id)
  where kind not in ('capture', 'cancel', 'refund', 'cancel_mandate');
-- A mandate is ended once at a time, also while its payment is refunded or canceled.
drop index payment_operations_one_open;
create unique index payment_operations_one_open on payment_operations (slot, merchant_id, payment_id)
  where state = 'pending' and kind not in ('refund', 'cancel_mandate');
create unique index payment_operations_one_open_mandate_end on payment_operations (slot, merchant_id, payment_id)
  where state = 'pending' and kind = 'cancel_mandate';
