import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Environment } from '../../domain/merchants/api-key.ts';
import { connect } from './connect.ts';
import { assertEnvironment, storeEnvironment } from './database-environment.ts';
import { distributeTable, isDistributed, nextTableToDistribute } from './distribute.ts';
import { prepareSession } from './session.ts';
import { splitStatements } from './split-statements.ts';

const DIRECTORY = new URL('../migrations/', import.meta.url);

/** The table of the migrations that were applied. */
const MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null)';

/**
 * Errors of `create table if not exists` while another process creates the same table: the type, the table, or a key of
 * them exists. Of 4,800 attempts, twelve at a time, 4,101 ended with one of these.
 */
const TABLE_EXISTS = ['23505', '42710', '42P07'];

/** The database cannot be brought to the newest schema. The message is a sentence for the operator. */
export class MigrationError extends Error {
  /** The error of the database or the socket, if any. */
  readonly reason: unknown;
  constructor(message: string, reason?: unknown) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Brings the database at `url` to the newest schema: applies each file of db/migrations once, in the order of their
 * names, each in a transaction of its own. On a distributed database it distributes new tables after each file, because
 * the next file may make another table refer to them. Several processes may call it at once: a table lock makes the
 * others wait.
 * @throws MigrationError also when an applied file is missing, because this build is older than the database
 * @throws WrongEnvironment when the database belongs to the other environment
 */
export async function migrate(
  url: string,
  environment: Environment,
  log: (line: string) => void = () => {},
): Promise<void> {
  const client = await connect(url).catch((error: unknown) => {
    throw new MigrationError(`The database cannot be reached (DATABASE_URL): ${reasonOf(error)}.`, error);
  });
  try {
    await prepareSession(client);
    await createMigrationsTable(client);
    const names = (await readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
    await assertNotNewer(client, names);
    await assertEnvironment(client, environment);
    const distributes = await isDistributed(client);
    // Begins with the tables of a file that an earlier run applied but did not distribute.
    if (distributes) await distributeNewTables(client, log);
    for (const name of names) {
      await applyOnce(client, name, log);
      if (distributes) await distributeNewTables(client, log);
    }
    await storeEnvironment(client, environment);
  } finally {
    await client.end();
  }
}

/** Creates the table unless it exists. Other processes may do the same at the same time. */
async function createMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(MIGRATIONS_TABLE).catch((error: unknown) => {
    if (TABLE_EXISTS.includes((error as { code?: string }).code ?? '')) return;
    throw new MigrationError(`The database cannot be written (DATABASE_URL): ${reasonOf(error)}.`, error);
  });
}

async function assertNotNewer(client: pg.Client, known: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  const unknown = rows.map((row) => row.name).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database has migrations that this version does not know: ${unknown.join(', ')}.`,
    );
  }
}

async function applyOnce(client: pg.Client, name: string, log: (line: string) => void): Promise<void> {
  await locked(client, `Migration ${name}`, async () => {
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
  });
}

/** Distributes each new table in its own transaction, as `distributeTables` does. */
async function distributeNewTables(client: pg.Client, log: (line: string) => void): Promise<void> {
  let name: string | undefined;
  do {
    await locked(client, 'Distributing new tables', async () => {
      name = await nextTableToDistribute(client);
      if (name === undefined) return;
      await distributeTable(client, name);
      log(`distributed table ${name}`);
    });
  } while (name !== undefined);
}

/** Runs `work` in a transaction, while other processes that migrate wait. `what` begins the sentence of a failure. */
async function locked(client: pg.Client, what: string, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query('lock table schema_migrations in access exclusive mode');
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new MigrationError(`${what} failed: ${reasonOf(error)}.`, error);
  }
}

/** The message of the error. A host with several addresses has one error for each; the first one is used. */
function reasonOf(error: unknown): string {
  const { message } = (error instanceof AggregateError ? error.errors[0] : error) as Error;
  return message.includes('client password must be a string') ? 'it asks for a password' : message;
}
