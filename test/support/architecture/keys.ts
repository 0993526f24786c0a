import type { Client } from 'pg';

/** Tables that belong to no merchant. */
export const UNSCOPED_TABLES: Readonly<Record<string, string>> = {
  database_environment: 'one environment a database',
  schema_migrations: 'which migrations were applied: one list a database',
  pepper_check: 'one pepper hashes the API keys of all merchants',
  verified_wallet_domains: 'a domain name is looked up before its merchant is known, by a slot of its own',
  vault_keys: 'the ring of the vault seals the secrets of all merchants',
  worker_heartbeats: 'processes serve all merchants',
};

interface Key {
  table: string;
  kind: 'primary key' | 'unique' | 'foreign key';
  columns: string[];
  /** Of a foreign key: the columns that it points to. */
  target: string[] | null;
}

const KEYS = `
  select t.relname as "table",
         case when i.indisprimary then 'primary key' else 'unique' end as kind,
         array(select coalesce(a.attname, '(expression)')
                 from unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality k (number, place)
                 left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
                order by place)::text[] as columns,
         null::text[] as target
    from pg_index i join pg_class t on t.oid = i.indrelid
   where t.relnamespace = 'public'::regnamespace and i.indisunique
  union all
  select t.relname, 'foreign key',
         array(select a.attname from unnest(c.conkey) with ordinality k (number, place)
                 join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number order by place)::text[],
         array(select a.attname from unnest(c.confkey) with ordinality k (number, place)
                 join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number order by place)::text[]
    from pg_constraint c join pg_class t on t.oid = c.conrelid
   where t.relnamespace = 'public'::regnamespace and c.contype = 'f'`;

const TABLES = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by name`;

/**
 * One sentence for each table of schema public without a primary key, and for each primary key, unique key and foreign
 * key that slot and merchant_id do not lead, in this order: such a table could not be distributed by slot.
 */
export async function unscopedKeys(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES);
  const { rows: keys } = await client.query<Key>(KEYS);
  return tables
    .filter(({ name }) => !(name in UNSCOPED_TABLES))
    .flatMap(({ name }) => {
      const own = keys.filter(({ table }) => table === name);
      const without = own.some(({ kind }) => kind === 'primary key') ? [] : [`${name} has no primary key.`];
      return [...without, ...own.filter((key) => !isScoped(key)).map(sentence)];
    });
}

function isScoped({ columns, target }: Key): boolean {
  const leads = (names: readonly string[]) => names[0] === 'slot' && names[1] === 'merchant_id';
  return leads(columns) && (target === null || leads(target));
}

function sentence({ table, kind, columns }: Key): string {
  return `The ${kind} (${columns.join(', ')}) of ${table} does not lead with (slot, merchant_id).`;
}
