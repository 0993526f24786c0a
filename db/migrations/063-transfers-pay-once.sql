-- A transfer by Pix pays one payment. The payers' banks identify it by its end-to-end id.
alter table payments add column end_to_end_id text generated always as (details ->> 'endToEndId') stored;
create unique index payments_by_end_to_end_id on payments (slot, merchant_id, end_to_end_id)
  where end_to_end_id is not null;
