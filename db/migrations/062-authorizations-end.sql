-- An authorization that is not captured is voided after 7 days. Those of before get the same time.
update payments set due_at = created_at + interval '7 days'
 where due_at is null
   and (status = 'pre_authorized' or (status = 'processing' and pending_operation in ('capture', 'void')));
