import pg from 'pg';

/** Runs statements: the pool, or the connection of a transaction. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** The connection of a transaction. A function that needs a transaction asks for one by this type. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
}

/** A transaction that is idle for so long belongs to a stopped process. Postgres ends it. */
export const IDLE_IN_TRANSACTION_MS = 5_000;

/** How long to wait for a connection: one of the server, or a free one of the pool. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** Opens the connections to the simulator's database: 10, unless `config` says otherwise. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const timeouts = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const pool = new pg.Pool({ max: 10, ...timeouts, ...config });
  // An idle connection that breaks is replaced at its next use. Without a listener the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Runs `work` in one transaction. `rollback()` undoes it, and the result is then null. */
export async function transaction<R>(
  pool: pg.Pool,
  work: (tx: Tx, rollback: () => never) => Promise<R>,
): Promise<R | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client as unknown as Tx, () => {
      throw ROLLBACK;
    });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((lost) => {
      broken = lost;
    });
    if (error === ROLLBACK) return null;
    throw error;
  } finally {
    client.release(broken);
  }
}

const ROLLBACK = new Error('rolled back');
