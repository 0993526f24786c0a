import type pg from 'pg';
import { API_KEY_PREFIXES, type Environment } from '../../domain/merchants/api-key.ts';
import { connect } from './connect.ts';

/** The database is for the other environment. The message is a sentence for the operator. */
export class OtherEnvironment extends Error {}

/**
 * Throws `OtherEnvironment` where the database is for another environment than this process. Call it before migrating:
 * such a database must not be changed.
 */
export async function refuseOtherEnvironment(client: pg.Client, environment: Environment): Promise<void> {
  const own = await environmentOf(client);
  if (own === undefined || own === environment) return;
  throw new OtherEnvironment(
    `PAYMENTS_ENV is ${environment}, but this database was first migrated for ${own}: name another one (DATABASE_URL or DATA_DIR), or start with PAYMENTS_ENV=${own}.`,
  );
}

/** The same for the database at `url`. */
export async function refuseOtherEnvironmentAt(url: string, environment: Environment): Promise<void> {
  const client = await connect(url);
  try {
    await refuseOtherEnvironment(client, environment);
  } finally {
    await client.end();
  }
}

/** Stores the environment of a migrated database. Throws `OtherEnvironment` where another process was first. */
export async function rememberEnvironment(client: pg.Client, environment: Environment): Promise<void> {
  await refuseOtherEnvironment(client, environment);
  await client.query(
    'insert into database_environment (environment) values ($1) on conflict (only_row) do nothing',
    [environment],
  );
  await refuseOtherEnvironment(client, environment);
}

/** The environment that the database stores, or that its API keys show; undefined where there is neither. */
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
 * For databases that are older than the stored environment. A live key means production, whatever other keys there are: a
 * sandbox may have been started on the database by mistake, and have created a key of its own.
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
