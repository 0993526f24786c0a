import type pg from 'pg';
import { connect } from './connect.ts';

/** What `distributeTables` found and did. */
export interface Distribution {
  readonly citusVersion: string;
  /** Tables that it distributed, in this order. */
  readonly distributed: readonly string[];
  /** Tables that were distributed before. */
  readonly unchanged: readonly string[];
  /** Tables that have no slot. They stay on the coordinator. */
  readonly local: readonly string[];
}

/** The database is not one that can be distributed. The message is a sentence for the operator. */
export class NotDistributable extends Error {}

interface Table {
  readonly name: string;
  readonly has_slot: boolean;
  readonly is_distributed: boolean;
  /** Tables that it refers to. */
  readonly parents: readonly string[];
}

const CITUS_VERSION = `select extversion as version from pg_extension where extname = 'citus'`;

/** The tables of the schema. The catalog also lists shards that the coordinator holds itself. */
const TABLES = `
  select c.oid::regclass::text as name,
         exists (select from pg_attribute a
                  where a.attrelid = c.oid and a.attname = 'slot' and not a.attisdropped) as has_slot,
         exists (select from pg_dist_partition d
                  where d.logicalrelid = c.oid and d.partmethod = 'h') as is_distributed,
         array(select k.confrelid::regclass::text from pg_constraint k
                where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as parents
    from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and not relation_is_a_known_shard(c.oid::regclass)
   order by c.relname`;

const FIRST_TABLE = 'merchants';

/**
 * Distributes every table that has a slot over the nodes of a Citus cluster: all rows of a slot come to one node. Tables
 * that are distributed already stay as they are, so it may be run again after a migration that adds tables, and after a
 * run that failed. Each table is copied in a transaction of its own, and nobody writes it meanwhile.
 * @throws NotDistributable without Citus
 */
export async function distributeTables(url: string): Promise<Distribution> {
  // Without the time limit of other statements: a large table takes minutes.
  const client = await connect(url);
  try {
    const citusVersion = await citusVersionOf(client);
    const { rows: tables } = await client.query<Table>(TABLES);
    const order = parentsFirst(tables.filter(({ has_slot }) => has_slot));
    const missing = order.filter(({ is_distributed }) => !is_distributed).map(({ name }) => name);
    for (const name of missing) await client.query(distribution(name), [name]);
    return {
      citusVersion,
      distributed: missing,
      unchanged: order.filter(({ is_distributed }) => is_distributed).map(({ name }) => name),
      local: tables.filter(({ has_slot }) => !has_slot).map(({ name }) => name),
    };
  } finally {
    await client.end();
  }
}

async function citusVersionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(CITUS_VERSION);
  if (rows[0] !== undefined) return rows[0].version;
  throw new NotDistributable(
    'The database has no Citus: install it on every node, then run "create extension citus" in this database and add the workers.',
  );
}

/** Rows of one slot are on one node in every table, so that a transaction of a merchant needs no other node. */
function distribution(name: string): string {
  return name === FIRST_TABLE
    ? `select create_distributed_table($1::regclass, 'slot')`
    : `select create_distributed_table($1::regclass, 'slot', colocate_with => '${FIRST_TABLE}')`;
}

/** In the order that foreign keys ask for: Citus refuses a table that refers to one which is not distributed. */
function parentsFirst(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table, children: readonly Table[]) => {
    if (ordered.has(table) || children.includes(table)) return;
    const parents = tables.filter(({ name }) => table.parents.includes(name));
    for (const parent of parents) add(parent, [...children, table]);
    ordered.add(table);
  };
  const first = tables.filter(({ name }) => name === FIRST_TABLE);
  for (const table of [...first, ...tables]) add(table, []);
  return [...ordered];
}
