-- The network of the buyer of an unpaid Pix or boleto, as a keyed hash, so that one network cannot take all places of a link
-- without paying. Null for other payments, and when the payment is decided.
alter table payment_link_places add column buyer_network uuid;
create index payment_link_places_unpaid on payment_link_places (slot, merchant_id, link_id, buyer_network)
  where state = 'under_way' and buyer_network is not null;
