create table simulator.wallet_sessions (
  id text primary key,
  account text not null,
  domain_name text not null,
  expires_at timestamptz not null,
  is_used boolean not null default false
);
comment on table simulator.wallet_sessions is
  'Validation URLs of the wallet provider; inserted by a tester, used once, deleted when the account is reset. expires_at is wall time.';

create table simulator.wallet_files (
  domain_name text primary key,
  content text not null
);
comment on table simulator.wallet_files is
  'What domains under wallet.test serve as their verification file; overwritten by each verification, never deleted.';
