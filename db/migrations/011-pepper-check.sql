-- A keyed hash of a fixed text under the KEY_PEPPER of this database, kept by the first start and never changed: a process
-- with another one would know no API key. One row at most. This table belongs to no merchant.
create table pepper_check (
  only_row boolean primary key default true check (only_row),
  hash bytea not null
);
