-- How a payment is shared. `split` has one entry for each line of the request, in its order: the line, the id of its
-- recipient, the share, and what the share bears of the fee. Null without a split. It is written with the payment; the
-- capture writes the shares of the captured amount, and after that it does not change. It is part of the payment's row so
-- that a list of payments reads no second table.
--
-- The capture also writes the platform's fee and the merchant's day, once: a later change of the rates does not change old
-- payments. Both are null before. Payments that were captured before this migration get them, with a fee of 0, when their
-- ledger entries are written.
alter table payments add column split jsonb, add column fee_centavos bigint, add column captured_on date;
alter table payments add constraint payments_split_is_list check (
  case when jsonb_typeof(split) = 'array' then jsonb_array_length(split) between 1 and 20 else split is null end);
alter table payments add constraint payments_captured_with_fee check (num_nonnulls(fee_centavos, captured_on) in (0, 2));
alter table payments add constraint payments_fee_fits_capture check (fee_centavos between 0 and captured_centavos);

-- Finds payments that were captured before this migration.
create index payments_without_entries on payments (slot, merchant_id, id)
  where captured_centavos > 0 and captured_on is null;
