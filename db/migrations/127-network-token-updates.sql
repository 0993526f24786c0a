-- When the network reported the latest change of a card with a network token (merchant's time): a new expiry, or another
-- number. Reports of an earlier time are ignored.
alter table cards add column network_updated_at timestamptz;
create index cards_by_network_token_reference on cards (slot, network_token_reference)
  where network_token_reference is not null;

-- Cards were charged by their number before, and the sandbox did not store the card of a token. Each token is requested again,
-- by a new reference; until then the card is charged by its number.
update cards
   set network_token_status = 'requested',
       network_token_sealed = null,
       network_token_reference = left(network_token_reference, 2) || substr(md5(network_token_reference || id::text), 1, 28),
       network_token_due_at = updated_at,
       network_token_attempts = 0
 where network_token_status = 'active' and deleted_at is null;
