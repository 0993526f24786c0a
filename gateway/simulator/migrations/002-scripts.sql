create table simulator.scripts (
  account text not null,
  script_id text not null,
  primary key (account, script_id)
);
comment on table simulator.scripts is
  'One row per script that was ever sent, so that a repeated one is known when its steps are used up; kept until the account is reset.';
