import { withAnswerTimeout } from './answer-timeout.ts';
import { connector } from './connect.ts';
import { ConnectionQuota } from './connection-quota.ts';
import { discard, isBroken, openPool, type Pool } from './pool.ts';
import { type Connection, corkForThisTick, type Send, type StatementResult, send } from './statements.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly maxConnections?: number;
  readonly statementTimeout_ms?: number;
}

/** Runs one statement with `$1` parameters. */
export type Run = (text: string, values: readonly unknown[]) => Promise<StatementResult>;

/**
 * The merchant whose quota of connections a statement uses. Undefined for statements over the rows of many merchants,
 * of which each job runs one at a time, and for look-ups, which never wait for a lock.
 */
export type Holder = string | undefined;

/** Runs one statement on a connection from the quota of a merchant. */
export type RunWithQuota = (
  holder: Holder,
  text: string,
  values: readonly unknown[],
) => Promise<StatementResult>;

/** The connections of a process to its database. */
export interface Connections {
  /** Runs a statement on a connection of its own. */
  readonly run: RunWithQuota;
  /**
   * Runs a statement on the connection that its kind uses now. It must never wait for a lock, because all statements
   * behind it would wait too.
   */
  runShared(kind: SharedKind, text: string, values: readonly unknown[]): Promise<StatementResult>;
  /** Runs `work` in a transaction: committed when it returns, rolled back when it throws. */
  transaction<R>(holder: Holder, work: (run: Run) => Promise<R>): Promise<R>;
  /** Fails statements that wait for a merchant's quota, and waits for those that run. */
  close(): Promise<void>;
}

/**
 * Look-ups that share connections: `keys` of API keys, `rows` of other rows. These connections are never returned to
 * the pool, and statements of one tick are sent in one write: this halves the cost of a look-up. When a table of one
 * kind is locked, the other kind still answers.
 */
export type SharedKind = 'keys' | 'rows';
const SHARED_CONNECTIONS = 2;
/** Short, because a look-up that is not answered delays every request of the process. */
const LOOK_UP_TIMEOUT_MS = 5_000;
/** A smaller pool has no connections to spare. */
const MIN_CONNECTIONS_TO_SHARE = 6;

/** How long a caller waits for its merchant to be below its limit, and then for a connection. */
const ACQUIRE_TIMEOUT_MS = 3_000;

/** Time after `statement_timeout` for Postgres to report that it canceled a statement. */
const GRACE_MS = 5_000;
/** Some firewalls drop an idle connection after four minutes. */
const KEEP_ALIVE_AFTER_MS = 60_000;

/**
 * Opens the connections to the database at `url` (a postgres:// address, with one host or several; a socket directory
 * goes in `?host=`). Connects when the first statement is sent.
 */
export function openConnections(options: ConnectionOptions): Connections {
  const { maxConnections = 13, statementTimeout_ms = 15_000 } = options;
  const connect = connector(options.url, {
    application_name: 'centavo',
    statement_timeout: statementTimeout_ms,
    lock_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    pipeline: true,
  });
  const pool = openPool({ connect, maxConnections, acquireTimeout_ms: ACQUIRE_TIMEOUT_MS });

  const statements = withAnswerTimeout(send, statementTimeout_ms + GRACE_MS);
  const lookUps = withAnswerTimeout(send, LOOK_UP_TIMEOUT_MS);
  const hasSharedConnections = maxConnections >= MIN_CONNECTIONS_TO_SHARE;
  const quota = new ConnectionQuota(
    maxConnections - (hasSharedConnections ? SHARED_CONNECTIONS : 0),
    ACQUIRE_TIMEOUT_MS,
  );

  async function withConnection<R>(holder: Holder, work: (connection: Connection) => Promise<R>): Promise<R> {
    const acquired = holder === undefined ? undefined : quota.acquire(holder);
    if (acquired !== undefined) await acquired;
    try {
      const connection = await pool.acquire();
      try {
        return await work(connection);
      } finally {
        pool.release(connection);
      }
    } finally {
      if (holder !== undefined) quota.release(holder);
    }
  }
  const run: RunWithQuota = (holder, text, values) =>
    withConnection(holder, (connection) => statements.send(connection, text, values));
  const shared = sharedConnections(pool, lookUps.send);
  return {
    run,
    // A look-up never counts for a merchant's quota.
    runShared: (kind, text, values) =>
      hasSharedConnections ? shared.run(kind, text, values) : run(undefined, text, values),
    transaction: (holder, work) =>
      withConnection(holder, (connection) => inTransaction(connection, statements.send, work)),
    close: async () => {
      quota.close();
      await shared.close();
      await pool.close();
      statements.stop();
      lookUps.stop();
    },
  };
}

/** The code of a statement that Postgres refuses because an earlier one of its transaction failed. */
const ABORTED = '25P02';

/** Statements that may be sent before `begin` has succeeded, because they change nothing outside a transaction. */
const READ = /^select\b/;

/**
 * Sends reads together with `begin` in one write. A read fails if `begin` fails. A statement that writes waits until
 * `begin` has succeeded: if `begin` alone were canceled, the statement would run outside any transaction. Statements of
 * one tick are sent in one write and run in the order in which they were sent.
 */
async function inTransaction<R>(
  connection: Connection,
  send: Send,
  work: (run: Run) => Promise<R>,
): Promise<R> {
  let isOver = false;
  let failure: unknown;
  const sendInTick: Run = async (text, values) => {
    corkForThisTick(connection);
    try {
      return await send(connection, text, values);
    } catch (error) {
      failure ??= error;
      throw (error as { code?: unknown }).code === ABORTED ? failure : error;
    }
  };
  const begun = sendInTick('begin', []);
  const run: Run = async (text, values) => {
    if (!isOver && READ.test(text)) return (await Promise.all([begun, sendInTick(text, values)]))[1];
    await begun;
    // Another caller may use the connection by now.
    if (isOver) throw new Error('The transaction is over.');
    return sendInTick(text, values);
  };
  try {
    const [result] = await Promise.all([work(run), begun]);
    isOver = true;
    const { command } = await send(connection, 'commit', []);
    // If a statement of the transaction failed, Postgres answers `commit` with a rollback and no error.
    if (command !== 'COMMIT')
      throw new Error('The transaction was rolled back, because one of its statements failed.');
    return result;
  } catch (error) {
    isOver = true;
    await send(connection, 'rollback', []).catch(() => discard(connection));
    throw error;
  }
}

/** The unanswered statements of a kind. All of them are on one connection. */
interface Unanswered {
  connection: SharedConnection;
  count: number;
}

/**
 * A statement never waits for one of the other kind: while a connection has unanswered statements, it takes only more
 * of their kind. Otherwise all use the first one, because a second process of Postgres takes time of the same
 * processors.
 */
function sharedConnections(
  pool: Pool,
  send: Send,
): { run: Connections['runShared']; close(): Promise<void> } {
  const [first, second] = [sharedConnection(pool, send), sharedConnection(pool, send)];
  const keys: Unanswered = { connection: first, count: 0 };
  const rows: Unanswered = { connection: first, count: 0 };
  return {
    async run(kind, text, values) {
      const [own, other] = kind === 'keys' ? [keys, rows] : [rows, keys];
      // Both are open before the second one is needed, because the pool can be exhausted then.
      first.open();
      second.open();
      if (own.count === 0) own.connection = other.count > 0 && other.connection === first ? second : first;
      own.count += 1;
      try {
        return await own.connection.run(text, values);
      } finally {
        own.count -= 1;
      }
    },
    close: async () => {
      await Promise.all([first.close(), second.close()]);
    },
  };
}

interface SharedConnection {
  /** Opens it in the background, if it is not open. */
  open(): void;
  /** Waits until it is open. */
  readonly run: Run;
  close(): Promise<void>;
}

function sharedConnection(pool: Pool, send: Send): SharedConnection {
  let held: Connection | Promise<Connection> | undefined;
  let isClosed = false;

  async function acquire(): Promise<Connection> {
    try {
      held = await pool.acquire();
      return held;
    } catch (error) {
      held = undefined;
      throw error;
    }
  }

  function opened(): Connection | Promise<Connection> {
    if (isClosed) throw new DatabaseUnavailable(new Error('The connections are closed.'));
    if (held !== undefined && (held instanceof Promise || !isBroken(held))) return held;
    if (held !== undefined) pool.release(held);
    held = acquire();
    // Those who wait for it get the error.
    held.catch(() => {});
    return held;
  }

  return {
    open: () => void opened(),
    async run(text, values) {
      const found = opened();
      const connection = found instanceof Promise ? await found : found;
      corkForThisTick(connection);
      return send(connection, text, values);
    },
    async close() {
      isClosed = true;
      const last = await Promise.resolve(held).catch(() => undefined);
      held = undefined;
      if (last !== undefined) pool.release(last);
    },
  };
}
