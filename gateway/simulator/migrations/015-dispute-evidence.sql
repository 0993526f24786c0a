-- The texts that merchants sent against disputes.
create table simulator.dispute_evidence (
  account text not null,
  reference text not null,
  payment_reference text not null,
  text text not null,
  primary key (account, reference)
);
comment on table simulator.dispute_evidence is
  'Evidence that was accepted, by the reference of its operation; inserted with it, never changed, deleted when the account is reset.';
