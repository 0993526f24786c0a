-- Why a charge was refused, and when it was refused, canceled or expired: the answer to an inquiry about it names both. For
-- earlier charges by mandates they are not known.
alter table simulator.payments add column refusal jsonb, add column ended_at timestamptz;
update simulator.payments set ended_at = created_at
 where mandate_reference is not null and state in ('refused', 'expired', 'voided');
update simulator.payments
   set refusal = '{"code": "AB10", "message": "The reason of the refusal is not known.", "retryable": true}'
 where mandate_reference is not null and state = 'refused';
