import { sql } from './embedded-postgres.ts';

/**
 * Makes a database look like the coordinator of a Citus cluster to `database distribute` and to the job of the
 * statistics. No data moves: the functions check what Citus checks, and record the call. The refusals have the words of
 * Citus.
 */
export async function installFakeCitus(url: string): Promise<void> {
  const database = new URL(url).pathname.slice(1);
  await sql(
    url,
    `set allow_system_table_mods = on;
     insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
     select 99999, 'citus', oid, 'pg_catalog'::regnamespace, false, '13.0-1' from pg_roles where rolname = current_user;
     create schema stand_in_citus;
     create table stand_in_citus.pg_dist_partition (logicalrelid regclass primary key, partmethod "char", partkey text);
     create table stand_in_citus.calls (
       position bigint generated always as identity, name text, distribution_column text, colocate_with text);
     create table stand_in_citus.known_shards (relation regclass);
     create function stand_in_citus.relation_is_a_known_shard(regclass) returns bool language sql
       return exists (select from stand_in_citus.known_shards where relation = $1);
     create function stand_in_citus.create_distributed_table(
       table_name regclass, distribution_column text, distribution_type text default 'hash',
       colocate_with text default 'default', shard_count int default null) returns void language plpgsql as $$
     declare parent regclass;
     begin
       if exists (select from stand_in_citus.pg_dist_partition where logicalrelid = table_name) then
         raise 'table "%" is already distributed', table_name;
       end if;
       if colocate_with not in ('default', 'none') and not exists (
         select from stand_in_citus.pg_dist_partition where logicalrelid = colocate_with::regclass) then
         raise 'relation % is not distributed', colocate_with;
       end if;
       for parent in select confrelid from pg_constraint where conrelid = table_name and contype = 'f' loop
         if not exists (select from stand_in_citus.pg_dist_partition where logicalrelid = parent) then
           raise 'referenced table "%" must be a distributed table or a reference table', parent;
         end if;
       end loop;
       insert into stand_in_citus.pg_dist_partition values (table_name, 'h', distribution_column);
       insert into stand_in_citus.calls (name, distribution_column, colocate_with)
       values (table_name::text, distribution_column, colocate_with);
     end $$;
     alter database ${database} set search_path = public, stand_in_citus`,
  );
}

export interface DistributionCall {
  readonly name: string;
  readonly distribution_column: string;
  readonly colocate_with: string;
}

/** What was distributed, in this order. */
export async function distributionCalls(url: string): Promise<DistributionCall[]> {
  const rows = await sql(
    url,
    'select name, distribution_column, colocate_with from stand_in_citus.calls order by position',
  );
  return rows as unknown as DistributionCall[];
}
