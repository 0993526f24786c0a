-- A line of a settlement file that the ledger does not have can be of a change whose notification was lost: the acquirer is asked
-- about its payment. Wall time; null if it is not asked, or has answered. Set when the discrepancy is written, moved on when a
-- worker claims it.
alter table discrepancies add column inquire_at timestamptz;
update discrepancies set inquire_at = created_at
 where status = 'open' and source = 'settlement_file' and reason in ('settlement_unknown', 'settlement_doubled');
create index discrepancies_to_inquire on discrepancies (slot, inquire_at) where inquire_at is not null;
create index slots_with_discrepancies_to_inquire on discrepancies (inquire_at, slot) where inquire_at is not null;
