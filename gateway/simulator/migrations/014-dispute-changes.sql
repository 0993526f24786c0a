-- What has happened in the disputes of a payment, so that an inquiry can report it.
create table simulator.dispute_changes (
  account text not null,
  reference text not null,
  position bigint generated always as identity,
  state text not null check (state in ('requested', 'dispute', 'won', 'lost')),
  amount_centavos bigint not null check (amount_centavos >= 0),
  -- As in its notification.
  dispute jsonb not null,
  occurred_at timestamptz not null,
  primary key (account, reference, position)
);
comment on table simulator.dispute_changes is
  'Changes of disputes that were notified; inserted with the change, never changed, deleted when the account is reset. occurred_at is the account''s time.';
