-- Whoever deletes a row (a reset of the sandbox deletes thousands) has Postgres look up what still refers to it, row by
-- row: without an index that is a walk through the merchant's whole table each time.
create index orders_of_customer on orders (slot, merchant_id, customer_id);

-- A payment's card is one of its customer's. So said, the look-up finds its rows by payments_of_customer; an index on
-- card_id alone would cost every change of every payment a write, this key only the making of a card.
alter table cards add unique (slot, merchant_id, customer_id, id);
alter table payments drop constraint payments_slot_merchant_id_card_id_fkey;
alter table payments
  add foreign key (slot, merchant_id, customer_id, card_id) references cards (slot, merchant_id, customer_id, id);
