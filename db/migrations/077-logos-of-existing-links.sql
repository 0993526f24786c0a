-- The logos of links that exist already are fetched too.
insert into payment_link_logos (slot, merchant_id, link_id, url, due_at)
select slot, merchant_id, id, logo_url, 'epoch' from payment_links where logo_url is not null;
