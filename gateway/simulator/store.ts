import pg from 'pg';

/** What runs a statement: the pool, or one transaction's connection. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;

/** Says that the statements of the callback belong together; a repository that needs it asks for a `Tx`. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
}

/** A transaction that is silent for so long belongs to a process that is stopped: Postgres ends it. */
export const IDLE_IN_TRANSACTION_MS = 5_000;

/** A server that takes the connection and never answers is given up after this, and so is the wait for a free connection. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** The connections to the books: 10, unless `config` says otherwise. */
export function openBooks(config: pg.PoolConfig): pg.Pool {
  const timeouts = {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const pool = new pg.Pool({ max: 10, ...timeouts, ...config });
  // A connection that breaks while nobody uses it, or while it is being closed, is no failure: the next use gets
  // another. Unheard, the event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Runs `work` in one transaction. `rollback()` undoes it and makes the answer null. */
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
