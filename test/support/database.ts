/**
 * A database of its own for each test file, cloned from a template that was migrated once.
 *
 * The server is TEST_DATABASE_URL (set by `npm test`, which starts one cluster for all files), else DATABASE_URL, else
 * an embedded cluster, in memory if there is enough (memory-folder.ts), or in .data/test. The first file starts that
 * cluster, and files that run at the same time use it too. With TEST_CITUS_WORKERS the server is the coordinator of a
 * Citus cluster (citus-cluster.ts).
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { distributeTables } from '../../db/engine/distribute.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/engine/embedded-postgres.ts';
import { closeConnections, isCluster, joinNodes, workersOf } from './db/citus-cluster.ts';
import { sql } from './db/embedded-postgres.ts';
import { memoryFolder } from './db/memory-folder.ts';
import { lock, nameOfProcess, unlock, waitForOthers } from './db/server-locks.ts';

export interface TestDatabase {
  /** A connection URL. */
  url: string;
  /** Drops the database and closes its connections. Call it in `after`. */
  drop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');
const TEMPLATE_PREFIX = 'centavo_template_';
const TEST_PREFIX = 'centavo_test_';
const SERVER_IN_USE = 'centavo: server in use';
const PREPARING = 'centavo: preparing a database';
const LONGEST_START_MS = 60_000;

/** What builds a template, in this order: the module, its function with a URL, and its SQL files. */
const MIGRATORS = [
  { module: 'db/engine/migrate.ts', name: 'migrate', sql: 'db/migrations' },
  { module: 'gateway/simulator/migrate.ts', name: 'migrateSimulator', sql: 'gateway/simulator/migrations' },
].filter(({ module }) => existsSync(join(ROOT, module)));

/** The cluster of the tests. It survives kill -9 of anything but not a power cut: then run `make clean`. */
function startTestPostgres(): Promise<EmbeddedPostgres> {
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    max_wal_size: '256MB',
  };
  return startEmbeddedPostgres({ dataDir: memoryFolder() ?? join(ROOT, '.data/test'), settings });
}

/** A new migrated database. */
export async function testDatabase(): Promise<TestDatabase> {
  session ??= openSession();
  const { url, query } = await session;
  const name = TEST_PREFIX + randomUUID().replaceAll('-', '');
  openDatabases++;
  await query(lock(name)); // held while this process lives: a database without a holder is a leftover
  await query(lock(PREPARING));
  try {
    await onEveryNode(
      await session,
      `create database ${name} template ${await migratedTemplate(await session)} strategy file_copy`,
    );
  } finally {
    await query(unlock(PREPARING));
  }
  return {
    url: withDatabase(url, name),
    async drop() {
      await onEveryNode({ url, query }, `drop database ${name} with (force)`);
      await query(unlock(name));
      if (--openDatabases === 0) await closeSession();
    },
  };
}

/** The connection of this process to the maintenance database. Its advisory locks show what is in use. */
interface Session {
  url: string;
  query(sql: string): Promise<Record<string, string>[]>;
  close(): Promise<void>;
}

let session: Promise<Session> | undefined;
let openDatabases = 0;

async function openSession(): Promise<Session> {
  const given = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  const deadline = performance.now() + LONGEST_START_MS;
  for (;;) {
    const embedded = given ? undefined : await startTestPostgres();
    try {
      return await connect(given ?? embedded!.url, embedded);
    } catch (error) {
      if (!embedded || embedded.owned || performance.now() > deadline) throw error;
      // The process that had started the server has just stopped it: start it, or use that of another.
      await embedded.stop();
    }
  }
}

async function connect(url: string, embedded: EmbeddedPostgres | undefined): Promise<Session> {
  type Refable = Client & { ref(): void; unref(): void }; // @types/pg leaves these two out
  const client = new Client({ connectionString: url, application_name: nameOfProcess }) as Refable;
  client.on('error', () => {}); // the query under way, or the next one, reports it
  await client.connect();
  const query = async (sql: string) => {
    client.ref();
    const { rows } = await client.query(sql);
    client.unref(); // an idle connection must not keep a finished test file alive
    return rows;
  };
  const close = async () => {
    // The process that started the server waits until all others that use it have released this lock, or their
    // connections have ended. It then stops the server while it holds the lock, so that a process that waits for the
    // lock finds the server gone. For a process that did not start the server, an error is expected here: the server
    // may stop before it answers.
    await query(unlock(SERVER_IN_USE, '_shared')).catch((error: unknown) => {
      if (embedded === undefined || embedded.owned) throw error;
    });
    if (embedded?.owned) await waitForOthers(query, SERVER_IN_USE);
    client.ref(); // a process that waits only for this must not exit before it is done
    await embedded?.stop();
    await client.end();
  };
  await query(lock(SERVER_IN_USE, '_shared'));
  await dropLeftovers(url, query);
  return { url, query, close };
}

async function closeSession(): Promise<void> {
  const closing = await session;
  session = undefined;
  await closing?.close();
}

/** Runs a statement about databases on the server, and on the workers of a cluster. */
async function onEveryNode({ url, query }: Pick<Session, 'url' | 'query'>, text: string): Promise<void> {
  await query(text);
  for (const worker of workersOf(url)) await sql(worker, text);
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function databasesNamed(query: Session['query'], prefix: string): Promise<string[]> {
  const rows = await query(`select datname from pg_database where starts_with(datname, '${prefix}')`);
  return rows.map(({ datname }) => datname!);
}

/** Databases of test files that were killed. */
async function dropLeftovers(url: string, query: Session['query']): Promise<void> {
  for (const name of await databasesNamed(query, TEST_PREFIX)) {
    const [row] = await query(`select pg_try_advisory_lock(hashtextextended('${name}', 0))::text as free`);
    if (row?.free !== 'true') continue;
    await onEveryNode({ url, query }, `drop database if exists ${name} with (force)`);
    await query(unlock(name));
  }
}

/** The template for the migrations as they are now, built when missing. The caller holds the lock PREPARING. */
async function migratedTemplate({ url, query }: Session): Promise<string> {
  const template = TEMPLATE_PREFIX + migrationsHash();
  const present = await databasesNamed(query, TEMPLATE_PREFIX);
  if (present.includes(template)) return template;

  const server = { url, query };
  for (const outdated of present) await onEveryNode(server, `drop database ${outdated} with (force)`);
  const unfinished = `${template}_unfinished`;
  await onEveryNode(server, `create database ${unfinished} template template0`);
  const unfinishedUrl = withDatabase(url, unfinished);
  if (isCluster) await joinNodes(unfinishedUrl);
  for (const { module, name } of MIGRATORS) {
    await (await import(join(ROOT, module)))[name](unfinishedUrl, 'sandbox');
  }
  // The first process that opens a database decides on its environment.
  await sql(unfinishedUrl, 'delete from database_environment');
  if (isCluster) {
    await distributeTables(unfinishedUrl);
    // Citus keeps connections to a database that is open, and an open database is no template.
    await onEveryNode(server, `alter database ${unfinished} allow_connections false`);
    await onEveryNode(server, closeConnections(unfinished));
  }
  await onEveryNode(server, `alter database ${unfinished} rename to ${template}`);
  return template;
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const { module, sql } of MIGRATORS) {
    const folder = join(ROOT, sql);
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.sql')) : [];
    for (const path of [module, ...files.sort().map((file) => `${sql}/${file}`)]) {
      hash.update(`${path}\n${readFileSync(join(ROOT, path))}`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
