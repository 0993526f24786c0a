-- Why the latest check of a domain failed. Null if it succeeded, if there was none, and for a check before this migration.
alter table wallet_domains add column problem_code text;
alter table wallet_domains add column problem_message text;
alter table wallet_domains add constraint wallet_domains_problem_check
  check ((problem_code is null) = (problem_message is null));
