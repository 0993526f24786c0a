-- An authorization that is not captured, and whose voids the acquirer has all refused, has no step left. Its place of a payment
-- link is released with the last refusal. Those from before kept their places, so a limited link could run out of them. A
-- capture that is reported later still counts the place.
with released as (
  update payment_link_places p set state = 'released', updated_at = a.updated_at, buyer_network = null
    from payments a
   where p.state = 'under_way'
     and a.slot = p.slot and a.merchant_id = p.merchant_id and a.id = p.holder_id and a.payment_link_id = p.link_id
     and a.status = 'pre_authorized' and a.captured_centavos = 0
     and a.due_at is null and a.pending_operation is null
  returning p.slot, p.merchant_id, p.link_id)
update payment_links l set payments_under_way = l.payments_under_way - r.places
  from (select slot, merchant_id, link_id, count(*) as places from released group by slot, merchant_id, link_id) r
 where l.slot = r.slot and l.merchant_id = r.merchant_id and l.id = r.link_id;
