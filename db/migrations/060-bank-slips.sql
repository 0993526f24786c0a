-- A boleto has a due date and a payer, and neither a card nor a txid.
alter table payments drop constraint payments_method_has_details;
alter table payments add constraint payments_method_has_details check (
  case
    when method in ('credit_card', 'debit_card')
      then txid is null and num_nonnulls(card_id, details ->> 'brand', details ->> 'first6', details ->> 'last4') = 4
    when method = 'pix' then card_id is null and num_nonnulls(txid, details ->> 'expiresAt') = 2
    when method = 'bank_slip'
      then num_nonnulls(card_id, txid) = 0
        and num_nonnulls(details ->> 'dueDate', details ->> 'expiresAt', details ->> 'payer') = 3
    else true
  end);
