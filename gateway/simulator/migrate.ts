import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { CONNECT_TIMEOUT_MS, IDLE_IN_TRANSACTION_MS } from './database.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** The lock by which one process migrates at a time. The number is arbitrary and used only here. */
const LOCK = 7_726_021;

const MIGRATIONS_TABLE = `
  create table if not exists simulator.migrations (name text primary key);
  comment on table simulator.migrations is
    'One row for each file of the folder migrations that was applied; inserted in the same transaction, never changed.'`;

/**
 * Brings the schema `simulator` of the database at `url` up to date. Safe to run at once from many processes. `Client`
 * is the class of its connection.
 */
export async function migrateSimulator(
  url: string,
  { Client = pg.Client }: { readonly Client?: typeof pg.Client } = {},
): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  client.on('error', () => {}); // The current query reports it.
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await client.query('create schema if not exists simulator');
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{ name: string }>('select name from simulator.migrations');
    const done = new Set(rows.map((row) => row.name));
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
    for (const name of names.filter((name) => !done.has(name))) {
      await client.query(await readFile(new URL(name, FOLDER), 'utf8'));
      await client.query('insert into simulator.migrations (name) values ($1)', [name]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
