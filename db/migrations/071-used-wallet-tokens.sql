-- The wallet tokens with which orders were placed: a token pays once. Inserted in the order's transaction, never changed.
create table used_wallet_tokens (
  slot smallint not null,
  merchant_id uuid not null,
  token_id text not null,
  primary key (slot, merchant_id, token_id)
);
