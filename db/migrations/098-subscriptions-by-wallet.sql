-- The credential by which a subscription charges a wallet; null for other methods, and after the end of the subscription.
alter table subscriptions add column wallet_credential_id uuid;
alter table subscriptions add constraint subscriptions_wallet_credential
  foreign key (slot, merchant_id, wallet_credential_id) references wallet_credentials (slot, merchant_id, id);
alter table subscriptions add constraint subscriptions_by_wallet check (
  case
    when wallet_credential_id is null then method <> 'browser_wallet' or ended_at is not null
    else method = 'browser_wallet' and ended_at is null
  end);
create index subscriptions_by_wallet_credential on subscriptions (slot, merchant_id, wallet_credential_id)
  where wallet_credential_id is not null;
