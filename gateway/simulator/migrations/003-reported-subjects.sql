-- Every answer names the payment method and the amount of its operation. Null for a network token, and for a reference
-- that was sealed before its operation arrived.
alter table simulator.operations add column method text;

update simulator.operations o
   set method = case p.method when 'card' then 'credit_card' else p.method end,
       amount_centavos = coalesce(o.amount_centavos, p.amount_centavos)
  from simulator.payments p
 where p.account = o.account and p.reference = coalesce(o.payment_reference, o.reference);
