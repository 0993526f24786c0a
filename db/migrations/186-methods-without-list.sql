-- The methods by which subscriptions are charged are listed in the code, as those of payments are (172). A list here would need
-- a migration for each new method. A card still belongs to `credit_card`, and a credential to `browser_wallet`.
alter table subscriptions drop constraint subscriptions_method_check;
-- Which methods start subscriptions at the page of a link is decided in the code, too.
alter table payment_links drop constraint payment_links_check2;
-- Rows from before satisfy the constraint that was dropped, which was stricter.
alter table payment_links add constraint payment_links_recurrence_is_fixed
  check (recurrence_interval is null or amount_type = 'fixed') not valid;
