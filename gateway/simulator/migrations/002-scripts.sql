create table simulator.scripts (
  account text not null,
  script_id text not null,
  primary key (account, script_id)
);
comment on table simulator.scripts is
  'One row for each script, so that a repeated request is recognized after the steps are used up; deleted when the account is reset.';
