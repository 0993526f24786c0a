-- The offer at whose page a buyer subscribed, which a change of the plan does not change. Null for a subscription of a payment
-- link, and for one that the merchant created. Its first payment has this offer; one without a payment has it still.
alter table subscriptions add column page_offer_id uuid;
alter table subscriptions add foreign key (slot, merchant_id, page_offer_id) references offers (slot, merchant_id, id);
update subscriptions s
   set page_offer_id = coalesce(
     (select p.offer_id from payments p
       where p.slot = s.slot and p.merchant_id = s.merchant_id and p.subscription_id = s.id
       order by p.created_at, p.id limit 1),
     s.offer_id)
 where s.buyer is not null and s.payment_link_id is null;
create index subscriptions_by_page_offer on subscriptions (slot, merchant_id, page_offer_id) where page_offer_id is not null;
