import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Environment } from '../../domain/merchants/api-key.ts';
import { refuseOtherEnvironment, rememberEnvironment } from './database-environment.ts';
import { prepareSession } from './session.ts';
import { splitStatements } from './split-statements.ts';

const DIRECTORY = new URL('../migrations/', import.meta.url);

/** Which migrations a database has had. */
export const MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null)';

/**
 * What another process made in between, which "if not exists" does not see: the key of its type, its type, or itself.
 * Of 4,800 attempts, twelve at once, 4,101 ended so, 503 of them at the type.
 */
const MADE_BY_ANOTHER = ['23505', '42710', '42P07'];

/** A server that takes the connection and never answers is given up after this. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The database cannot be brought to the newest schema; the message is a sentence for who runs the service. */
export class CannotMigrate extends Error {
  /** What the database or the socket said; undefined when neither did. */
  readonly reason: unknown;
  constructor(message: string, reason?: unknown) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Brings the database at `url` to the newest schema: each file of db/migrations once, in the order of its name, in
 * a transaction of its own. Several processes may call it at once: a table lock lets one work and the others wait.
 * The database remembers the environment of the first process and refuses those of the other: `OtherEnvironment`.
 * Throws `CannotMigrate`, also when a file that was applied is missing here: this build is older than the database.
 */
export async function migrate(
  url: string,
  environment: Environment,
  log: (line: string) => void = () => {},
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {}); // the query under way reports it
  await client.connect().catch((error: unknown) => {
    throw new CannotMigrate(`The database cannot be reached (DATABASE_URL): ${why(error)}.`, error);
  });
  try {
    await prepareSession(client);
    await makeMigrationsTable(client);
    const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
    await refuseNewerDatabase(client, names);
    await refuseOtherEnvironment(client, environment);
    for (const name of names) await applyOnce(client, name, log);
    await rememberEnvironment(client, environment);
  } finally {
    await client.end();
  }
}

/** Makes it where there is none, whoever else is at it. */
export async function makeMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(MIGRATIONS_TABLE).catch((error: unknown) => {
    if (MADE_BY_ANOTHER.includes((error as { code?: string }).code ?? '')) return;
    throw new CannotMigrate(`The database cannot be written (DATABASE_URL): ${why(error)}.`, error);
  });
}

async function refuseNewerDatabase(client: pg.Client, known: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const unknown = rows.map((row) => row.name).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new CannotMigrate(
      `The database has migrations that this version does not know: ${unknown.join(', ')}.`,
    );
  }
}

async function applyOnce(client: pg.Client, name: string, log: (line: string) => void): Promise<void> {
  await client.query('begin');
  try {
    await client.query('lock table schema_migrations in access exclusive mode');
    const { rowCount } = await client.query('select 1 from schema_migrations where name = $1', [name]);
    if (rowCount === 0) {
      // One statement at a time: a distributed database refuses several in one query.
      const script = await readFile(new URL(name, DIRECTORY), 'utf8');
      for (const statement of splitStatements(script)) await client.query(statement);
      await client.query('insert into schema_migrations (name, applied_at) values ($1, $2)', [
        name,
        new Date(),
      ]);
      log(`applied migration ${name}`);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new CannotMigrate(`Migration ${name} failed: ${why(error)}.`, error);
  }
}

/** In the database's own words. One that refuses on several addresses has no words of its own. */
function why(error: unknown): string {
  const { message } = (error instanceof AggregateError ? error.errors[0] : error) as Error;
  return message.includes('client password must be a string') ? 'it asks for a password' : message;
}
