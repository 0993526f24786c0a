-- When a row is deleted (a reset of the sandbox deletes thousands), Postgres looks up the rows that refer to it. Without an
-- index it reads the merchant's whole table each time.
create index orders_of_customer on orders (slot, merchant_id, customer_id);

-- The card of a payment belongs to its customer. With the customer in the foreign key, the look-up uses the index
-- payments_of_customer. An index on card_id would cost a write for every change of every payment; this key costs a write
-- only for a new card.
alter table cards add unique (slot, merchant_id, customer_id, id);
alter table payments drop constraint payments_slot_merchant_id_card_id_fkey;
alter table payments
  add foreign key (slot, merchant_id, customer_id, card_id) references cards (slot, merchant_id, customer_id, id);
