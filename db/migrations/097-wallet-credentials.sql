-- The credential by which the acquirer charges a card in a wallet again, because a wallet's token can be charged only once.
-- Inserted when the token is used. `credential_sealed` is written when the acquirer approves, and is null until then. Deleted
-- when the subscription has another means of payment or has ended.
create table wallet_credentials (
  slot smallint not null,
  merchant_id uuid not null,
  id uuid not null,
  wallet text not null,
  brand text not null,
  last_4 text not null,
  credential_sealed bytea,
  created_at timestamptz not null,
  primary key (slot, merchant_id, id),
  foreign key (slot, merchant_id) references merchants (slot, merchant_id)
);
