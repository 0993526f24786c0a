-- A keyed hash of a fixed text, made with the KEY_PEPPER of this database. Inserted by the first start, never changed: a
-- process with another pepper would recognize no API key. One row at most. This table belongs to no merchant.
create table pepper_check (
  only_row boolean primary key default true check (only_row),
  hash bytea not null
);
