-- True: a buyer typed the card at a checkout page, and the outcome of its payment is not known yet. Nobody else can use or see
-- the card. An approval makes it a card of the customer, and a refusal deletes its number.
alter table cards add column awaits_approval boolean not null default false;
