-- What the settlement file of a day lists. Captures are in the payment.
alter table simulator.payments add column captured_at timestamptz;
-- The time of earlier captures is not known better.
update simulator.payments set captured_at = created_at where captured_centavos > 0;

create table simulator.settlements (
  account text not null,
  position bigint generated always as identity,
  reference text not null,
  type text not null check (type in ('refund', 'dispute', 'dispute_reversed')),
  amount_centavos bigint not null check (amount_centavos > 0),
  occurred_at timestamptz not null,
  primary key (account, position)
);
comment on table simulator.settlements is
  'Refunds that completed, and disputes that were opened or won; inserted with the change, never changed, deleted when the account is reset. occurred_at is the account''s time.';
create index settlements_by_time on simulator.settlements (account, occurred_at);
