import { readdir, readFile } from 'node:fs/promises';
import type { Client } from 'pg';

/** The statement by which the service creates the table of the migrations that were applied. */
export const MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null)';

const FOLDER = new URL('../../../db/migrations/', import.meta.url);

/** Empties the database, and brings it to what it was before the first migration of this number. */
export async function schemaBefore(client: Client, number: string): Promise<void> {
  await client.query(`drop schema public cascade; create schema public; ${MIGRATIONS_TABLE}`);
  await migrateTo(client, number);
}

/** Runs the migrations before this number that have not run. */
export async function migrateTo(client: Client, number: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const ran = rows.map(({ name }) => name);
  for (const name of (await readdir(FOLDER)).sort().filter((file) => file < number && !ran.includes(file))) {
    await client.query(await readFile(new URL(name, FOLDER), 'utf8'));
    await client.query('insert into schema_migrations values ($1, now())', [name]);
  }
}
