-- True: a buyer typed the data at a checkout page, and the merchant has not sent data of this customer since. What the
-- merchant sends then replaces the row's data.
alter table customers add column typed_by_buyer boolean not null default false;
