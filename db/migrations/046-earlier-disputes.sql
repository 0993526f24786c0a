-- Disputes from before migration 045: one for each event that opened one. It was won before the next one was opened, or
-- is as the payment says. The last event of a dispute has the amounts of the payment at its end.
insert into disputes (slot, merchant_id, id, payment_id, status, amount_centavos, reason, evidence_due_at, created_at,
  updated_at, decided_at)
with opened as (
  select slot, merchant_id, id, payment_id, created_at,
         lead(created_at) over later as next_created_at, lead(id) over later as next_id
    from events
   where event = 'payment.chargeback_requested'
  window later as (partition by slot, merchant_id, payment_id order by created_at, id)),
known as (
  select o.slot, o.merchant_id, o.payment_id, o.created_at, l.created_at as updated_at, l.data,
         p.captured_centavos - p.refunded_centavos as left_centavos,
         case
           when o.next_id is not null then 'won'
           when p.status = 'chargeback_requested' then 'requested'
           when p.status = 'chargeback_dispute' then 'dispute'
           when p.status = 'chargeback_lost' then 'lost'
           else 'won'
         end as status
    from opened o
    join payments p on p.slot = o.slot and p.merchant_id = o.merchant_id and p.id = o.payment_id
   cross join lateral (
     select e.created_at, e.data
       from events e
      where e.slot = o.slot and e.merchant_id = o.merchant_id and e.payment_id = o.payment_id
        and e.event in ('payment.chargeback_requested', 'payment.chargeback_dispute')
        and (e.created_at, e.id) >= (o.created_at, o.id)
        and (o.next_id is null or (e.created_at, e.id) < (o.next_created_at, o.next_id))
      order by e.created_at desc, e.id desc
      limit 1) l)
select slot, merchant_id, gen_random_uuid(), payment_id, status,
       case status
         when 'won' then (data ->> 'captured_amount')::bigint - (data ->> 'refunded_amount')::bigint
         else left_centavos
       end,
       'general', created_at + interval '7 days', created_at, updated_at,
       case when status in ('won', 'lost') then updated_at end
  from known;
