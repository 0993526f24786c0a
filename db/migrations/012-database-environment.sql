-- The environment for which this database was first migrated. Inserted then, never changed. A process of the other
-- environment refuses to start. One row at most. This table belongs to no merchant.
create table database_environment (
  only_row boolean primary key default true check (only_row),
  environment text not null check (environment in ('sandbox', 'production'))
);
