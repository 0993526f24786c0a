import type pg from 'pg';
import { API_KEY_PREFIXES, type Environment } from '../../domain/merchants/api-key.ts';
import { connect } from './connect.ts';

/** The database belongs to the other environment. The message is a sentence for the operator. */
export class WrongEnvironment extends Error {}

/**
 * Throws `WrongEnvironment` when the database belongs to another environment than this process. Called before
 * migrations, because such a database must not be changed.
 */
export async function assertEnvironment(client: pg.Client, environment: Environment): Promise<void> {
  const own = await environmentOf(client);
  if (own === undefined || own === environment) return;
  throw new WrongEnvironment(
    `PAYMENTS_ENV is ${environment}, but this database was first migrated for ${own}: name another one (DATABASE_URL or DATA_DIR), or start with PAYMENTS_ENV=${own}.`,
  );
}

/** The same for the database at `url`. */
export async function assertEnvironmentAt(url: string, environment: Environment): Promise<void> {
  const client = await connect(url);
  try {
    await assertEnvironment(client, environment);
  } finally {
    await client.end();
  }
}

/**
 * Stores the environment of a migrated database. Throws `WrongEnvironment` when another process has stored the other
 * one.
 */
export async function storeEnvironment(client: pg.Client, environment: Environment): Promise<void> {
  await assertEnvironment(client, environment);
  await client.query(
    'insert into database_environment (environment) values ($1) on conflict (only_row) do nothing',
    [environment],
  );
  await assertEnvironment(client, environment);
}

/** The stored environment, or the one that the API keys show; undefined if there is neither. */
async function environmentOf(client: pg.Client): Promise<Environment | undefined> {
  if (await hasTable(client, 'database_environment')) {
    const { rows } = await client.query<{ environment: Environment }>(
      'select environment from database_environment',
    );
    if (rows[0] !== undefined) return rows[0].environment;
  }
  return (await hasTable(client, 'api_keys')) ? environmentOfKeys(client) : undefined;
}

/**
 * For databases from before the environment was stored. A live key means production, even if there are other keys: a
 * sandbox may have been started on the database by mistake, and have created its own key.
 */
async function environmentOfKeys(client: pg.Client): Promise<Environment | undefined> {
  const { rows } = await client.query<{ prefix: string }>('select distinct prefix from api_keys');
  const prefixes = rows.map(({ prefix }) => prefix);
  const environments = ['production', 'sandbox'] as const;
  return environments.find((environment) => prefixes.includes(API_KEY_PREFIXES[environment]));
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [
    name,
  ]);
  return rows[0]!.found;
}
