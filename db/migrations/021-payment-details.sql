-- What a payment stores of its method becomes one document, whose fields domain/payments/methods defines: a new method
-- needs no column. db/README.md says why the type is json.
alter table payments add column details json;

-- Only with functions that are immutable: Citus refuses an update that calls another one with a column, as to_char.
update payments
   set details = (rtrim(json_object(
         array['cardId', 'brand', 'first6', 'last4', 'statementDescriptor', 'authorizationCode'],
         array[card_id::text, card_brand, card_first_6, card_last_4, statement_descriptor, authorization_code])::text, '}')
         || ', "manualCapture" : ' || manual_capture::text || '}')::json
 where card_id is not null;

update payments
   set details = json_object(
         array['txid', 'qrCode', 'qrImage', 'expiresAt', 'endToEndId'],
         array[pix_txid, pix_qr_code, pix_qr_image,
           extract(year from pix_expires_at at time zone 'UTC')::text
             || '-' || lpad(extract(month from pix_expires_at at time zone 'UTC')::text, 2, '0')
             || '-' || lpad(extract(day from pix_expires_at at time zone 'UTC')::text, 2, '0')
             || 'T' || lpad(extract(hour from pix_expires_at at time zone 'UTC')::text, 2, '0')
             || ':' || lpad(extract(minute from pix_expires_at at time zone 'UTC')::text, 2, '0')
             || ':' || lpad(trunc(extract(second from pix_expires_at at time zone 'UTC'), 3)::text, 6, '0') || 'Z',
           pix_end_to_end_id])
 where card_id is null and pix_txid is not null;

update payments set details = '{}' where details is null;

alter table payments alter column details set not null;
alter table payments drop constraint payments_method_has_means;
alter table payments drop column card_id;
alter table payments drop column card_brand;
alter table payments drop column card_first_6;
alter table payments drop column card_last_4;
alter table payments drop column statement_descriptor;
alter table payments drop column manual_capture;
alter table payments drop column authorization_code;
alter table payments drop column pix_txid;
alter table payments drop column pix_qr_code;
alter table payments drop column pix_qr_image;
alter table payments drop column pix_expires_at;
alter table payments drop column pix_end_to_end_id;

-- The details that keys are about. Postgres computes them from the document, so nothing writes them.
alter table payments add column card_id uuid generated always as ((details ->> 'cardId')::uuid) stored;
alter table payments add column txid text generated always as (details ->> 'txid') stored;
-- The key includes the customer, as in 009: payments_of_customer then serves it, and a card of another customer is refused.
alter table payments add constraint payments_slot_merchant_id_customer_id_card_id_fkey
  foreign key (slot, merchant_id, customer_id, card_id) references cards (slot, merchant_id, customer_id, id);
-- Payers' banks know a charge by its txid alone.
create unique index payments_by_txid on payments (slot, merchant_id, txid) where txid is not null;

-- What it is paid with.
alter table payments add constraint payments_method_has_details check (
  case
    when method in ('credit_card', 'debit_card')
      then txid is null and num_nonnulls(card_id, details ->> 'brand', details ->> 'first6', details ->> 'last4') = 4
    when method = 'pix' then card_id is null and num_nonnulls(txid, details ->> 'expiresAt') = 2
    else true
  end);

-- A new method can have a first operation of its own. Only the operations that are not the first one are named.
alter table payment_operations drop constraint payment_operations_kind_check;
alter table payment_operations drop constraint payment_operations_amount_fits;
alter table payment_operations add constraint payment_operations_amount_fits check (
  case
    when kind in ('capture', 'refund') then amount_centavos <= payment_amount_centavos
    else amount_centavos = payment_amount_centavos
  end);
drop index payment_operations_one_beginning;
create unique index payment_operations_one_beginning on payment_operations (slot, merchant_id, payment_id)
  where kind not in ('capture', 'cancel', 'refund');
