/**
 * Runs the tests on a Citus cluster: TEST_DATABASE_URL names the coordinator, and TEST_CITUS_WORKERS the workers, as
 * `host:port` with commas between. A test database then consists of one database of the same name on each node.
 */
import { sql } from './embedded-postgres.ts';

/** Two for each worker of a cluster of two: enough to notice a statement that asks several. */
const SHARDS = 4;

const workers = (process.env.TEST_CITUS_WORKERS ?? '').split(',').filter((worker) => worker !== '');

/** Whether the databases of the tests are distributed. */
export const isCluster = workers.length > 0;

/** The addresses of a database on the workers. `url` is its address on the coordinator. */
export function workersOf(url: string): string[] {
  return workers.map((worker) => {
    const changed = new URL(url);
    changed.host = worker;
    return changed.href;
  });
}

/** Joins the empty databases of the nodes to one cluster. */
export async function joinNodes(url: string): Promise<void> {
  for (const node of [url, ...workersOf(url)]) await sql(node, 'create extension citus');
  const { hostname, port, pathname } = new URL(url);
  await sql(url, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workersOf(url)) {
    const address = new URL(worker);
    await sql(url, `select citus_add_node('${address.hostname}', ${address.port})`);
  }
  await sql(url, `alter database ${pathname.slice(1)} set citus.shard_count = ${SHARDS}`);
}

/** Closes the connections to a database, also those of Citus itself. */
export function closeConnections(database: string): string {
  return `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database}'`;
}
