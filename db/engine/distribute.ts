import type pg from 'pg';
import { connect } from './connect.ts';
import { PARENTS, parentsFirst, type ReferringTable } from './table-order.ts';

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

interface Table extends ReferringTable {
  readonly has_slot: boolean;
  readonly is_distributed: boolean;
}

const CITUS_VERSION = `select extversion as version from pg_extension where extname = 'citus'`;

/** The tables of the schema. The catalog also has the shards that are on the coordinator. */
const TABLES = `
  select c.oid::regclass::text as name,
         exists (select from pg_attribute a
                  where a.attrelid = c.oid and a.attname = 'slot' and not a.attisdropped) as has_slot,
         exists (select from pg_dist_partition d
                  where d.logicalrelid = c.oid and d.partmethod = 'h') as is_distributed,
         ${PARENTS} as parents
    from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and not relation_is_a_known_shard(c.oid::regclass)
   order by c.relname <> 'merchants', c.relname`;

/** Every other distributed table is colocated with this one. */
const FIRST_TABLE = 'merchants';

/**
 * Distributes every table that has a slot over the nodes of a Citus cluster: all rows of a slot are on one node. Leaves
 * out tables that are distributed already, so it can run again after a failure. Each table is copied in a transaction
 * of its own; no process should write to it at that time.
 * Without Citus, throws a sentence for the operator.
 */
export async function distributeTables(url: string): Promise<Distribution> {
  // Without the time limit of other statements: a large table takes minutes.
  const client = await connect(url);
  try {
    const citusVersion = await citusVersionOf(client);
    if (citusVersion === undefined) {
      throw new Error(
        'The database has no Citus: install it on every node, then run "create extension citus" in this database and add the workers.',
      );
    }
    const { withSlot, local } = await readTables(client);
    const missing = withSlot.filter(({ is_distributed }) => !is_distributed).map(({ name }) => name);
    for (const name of missing) await distributeTable(client, name);
    return {
      citusVersion,
      distributed: missing,
      unchanged: withSlot.filter(({ is_distributed }) => is_distributed).map(({ name }) => name),
      local: local.map(({ name }) => name),
    };
  } finally {
    await client.end();
  }
}

/** Whether `distributeTables` has run on the database. */
export async function isDistributed(client: pg.Client): Promise<boolean> {
  return (
    (await citusVersionOf(client)) !== undefined &&
    (await readTables(client)).withSlot.some(isFirstAndDistributed)
  );
}

/** The table that has a slot and is to be distributed next; undefined when all are. */
export async function nextTableToDistribute(client: pg.Client): Promise<string | undefined> {
  return (await readTables(client)).withSlot.find(({ is_distributed }) => !is_distributed)?.name;
}

/** Keeps rows of one slot on one node in every table, so that a transaction of a merchant needs no other node. */
export async function distributeTable(client: pg.Client, name: string): Promise<void> {
  const colocation = name === FIRST_TABLE ? '' : `, colocate_with => '${FIRST_TABLE}'`;
  await client.query(`select create_distributed_table($1::regclass, 'slot'${colocation})`, [name]);
}

async function citusVersionOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ version: string }>(CITUS_VERSION);
  return rows[0]?.version;
}

interface Tables {
  /** In the order in which they are distributed: Citus refuses a table that refers to one which is not distributed. */
  readonly withSlot: readonly Table[];
  readonly local: readonly Table[];
}

async function readTables(client: pg.Client): Promise<Tables> {
  const { rows } = await client.query<Table>(TABLES);
  return {
    withSlot: parentsFirst(rows.filter(({ has_slot }) => has_slot)),
    local: rows.filter(({ has_slot }) => !has_slot),
  };
}

function isFirstAndDistributed({ name, is_distributed }: Table): boolean {
  return name === FIRST_TABLE && is_distributed;
}
