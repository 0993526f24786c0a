import type pg from 'pg';
import { Pool as TarnPool, TimeoutError } from 'tarn';
import type { Connect } from './connect.ts';
import { prepareSession } from './session.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export interface PoolOptions {
  readonly connect: Connect;
  readonly maxConnections: number;
  /** The longest wait of a caller for a connection. */
  readonly acquireTimeout_ms: number;
}

/** The open connections of a process. Each is used by one caller at a time. */
export interface Pool {
  /** Throws the error of the database or the socket, or a timeout error. */
  acquire(): Promise<pg.Client>;
  /** Must be called once for each acquired connection. Closes a broken connection. */
  release(connection: pg.Client): void;
  /** Waits until all connections are released. */
  close(): Promise<void>;
}

const IDLE_TIMEOUT_MS = 60_000;

/** Connections that must not be used again. */
const broken = new WeakSet<pg.Client>();

/** Makes the pool close the connection when it is released. */
export function discard(connection: pg.Client): void {
  broken.add(connection);
}

/** Whether the connection is lost, or was discarded. */
export function isBroken(connection: pg.Client): boolean {
  return broken.has(connection);
}

/** Opens connections on demand, and closes those that were idle for a minute. */
export function openPool({ connect, maxConnections, acquireTimeout_ms }: PoolOptions): Pool {
  const pool = new TarnPool<pg.Client>({
    min: 0,
    max: maxConnections,
    acquireTimeoutMillis: acquireTimeout_ms,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    propagateCreateError: true,
    create: async () => {
      const connection = await connect();
      connection.on('error', () => discard(connection));
      connection.on('end', () => discard(connection));
      await prepareSession(connection).catch((error: unknown) => {
        void connection.end().catch(() => {});
        throw error;
      });
      return connection;
    },
    validate: (connection) => !isBroken(connection),
    destroy: (connection) => connection.end(),
  });
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw new DatabaseUnavailable(new Error('The connections are closed.'));
  };
  return {
    async acquire() {
      assertOpen();
      try {
        return await pool.acquire().promise;
      } catch (error) {
        assertOpen();
        if (!(error instanceof TimeoutError)) throw error;
        throw new Error('Timeout acquiring a connection: none was released in time.', { cause: error });
      }
    },
    release: (connection) => void pool.release(connection),
    async close() {
      isClosed = true;
      await pool.destroy();
    },
  };
}
