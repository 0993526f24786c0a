-- The answer to an inquiry about a settlement line closes the open discrepancies with the references of its payment.
create index open_discrepancies_of_references on discrepancies (slot, merchant_id, reference) where status = 'open';
-- No lost notification explains a capture or a refund that a settlement file has twice.
update discrepancies set inquire_at = null
 where inquire_at is not null and reason = 'settlement_doubled'
   and reported ->> 'report' in ('settlement_file.capture', 'settlement_file.refund');
