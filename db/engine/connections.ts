import knex, { type Knex } from 'knex';
import { inTime } from './overdue.ts';
import { prepareSession } from './session.ts';
import { type Holder, Shares } from './shares.ts';
import {
  type Connection,
  corkForThisTick,
  dispose,
  type Send,
  type StatementResult,
  send,
} from './statements.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly maxConnections?: number;
  readonly statementTimeout_ms?: number;
}

/** Runs one statement with `$1` parameters. */
export type Run = (text: string, values: readonly unknown[]) => Promise<StatementResult>;

/** The same out of somebody's share of the connections. */
export type RunFor = (holder: Holder, text: string, values: readonly unknown[]) => Promise<StatementResult>;

/** The connections of a process to its database. */
export interface Connections {
  /** On a connection that this statement has to itself. */
  readonly run: RunFor;
  /** On a connection that it shares with others of its kind: for what never waits, because all behind it wait too. */
  runShared(kind: SharedKind, text: string, values: readonly unknown[]): Promise<StatementResult>;
  /** In a transaction: committed when `work` is done, undone when it throws. */
  transaction<R>(holder: Holder, work: (run: Run) => Promise<R>): Promise<R>;
  /** What waits for its merchant's share fails; what is under way is waited for. */
  close(): Promise<void>;
}

/**
 * Look-ups of API keys, and of rows by their key, each share one connection, taken out of the pool for good. Statements of
 * one tick go out in one write; that and no way through the pool halve what a look-up costs. Keys have a connection to
 * themselves, so that a table which a migration holds locked holds up only those who ask for it.
 */
export type SharedKind = 'keys' | 'rows';
const SHARED_KINDS = 2;
/** One that stands still, because what lies between is gone, holds up every request of the process. */
const LONGEST_LOOK_UP_MS = 5_000;
/** A smaller pool has none to give away. */
const SMALLEST_POOL_TO_SHARE = 6;

/** For a connection, and before that for one of the merchant's own. */
const LONGEST_WAIT_MS = 3_000;

/** What Postgres gets beyond a statement's time to say that it is over. */
const GRACE_MS = 5_000;
/** Longer than anybody waits for one: a connection that took so long still serves the next. */
const CONNECT_TIMEOUT_MS = 10_000;
/** What lies between forgets a connection on which nothing moves, some of it after four minutes. */
const KEEP_ALIVE_AFTER_MS = 60_000;

/**
 * Opens a pool on `url` (a postgres:// address; a socket directory goes in `?host=`). Connects lazily. Knex keeps the
 * connections; statements go to them directly, since its way there costs more than their answers (toolchain figures:
 * 0.19 of pgbench by `knex.raw`, 0.30 by pg itself, 0.6 where several are under way on one connection).
 */
export function openConnections(options: ConnectionOptions): Connections {
  const { maxConnections = 13, statementTimeout_ms = 15_000 } = options;
  const pool = knex({
    client: 'pg',
    connection: {
      connectionString: options.url,
      application_name: 'centavo',
      statement_timeout: statementTimeout_ms,
      lock_timeout: 10_000,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      pipeline: true,
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: maxConnections,
      idleTimeoutMillis: 60_000,
      propagateCreateError: true,
      afterCreate: (connection: Connection, done: (error: unknown, connection: Connection) => void) => {
        prepareSession(connection).then(
          () => done(null, connection),
          (error) => {
            void connection.end().catch(() => {}); // the pool does not know it yet
            done(error, connection);
          },
        );
      },
    },
    acquireConnectionTimeout: LONGEST_WAIT_MS,
    // What fails is thrown, and logged where it is known which request or job it was.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
  const acquire = (): Promise<Connection> => pool.client.acquireConnection();
  const release = (connection: Connection): Promise<void> => pool.client.releaseConnection(connection);

  const own = inTime(send, statementTimeout_ms + GRACE_MS);
  const lookUp = inTime(send, LONGEST_LOOK_UP_MS);
  const canShare = maxConnections >= SMALLEST_POOL_TO_SHARE;
  const shares = new Shares(maxConnections - (canShare ? SHARED_KINDS : 0), LONGEST_WAIT_MS);

  async function onOne<R>(holder: Holder, work: (connection: Connection) => Promise<R>): Promise<R> {
    const turn = holder === undefined ? undefined : shares.take(holder);
    if (turn !== undefined) await turn;
    try {
      const connection = await acquire();
      try {
        return await work(connection);
      } finally {
        await release(connection);
      }
    } finally {
      if (holder !== undefined) shares.giveBack(holder);
    }
  }
  const run: RunFor = (holder, text, values) =>
    onOne(holder, (connection) => own.send(connection, text, values));
  const share = () => sharedConnection(acquire, release, lookUp.send);
  const shared = { keys: share(), rows: share() };
  return {
    run,
    // Nobody's also where look-ups have no connection of their own.
    runShared: (kind, text, values) =>
      canShare ? shared[kind].run(text, values) : run(undefined, text, values),
    transaction: (holder, work) => onOne(holder, (connection) => inTransaction(connection, own.send, work)),
    close: async () => {
      shares.close();
      await Promise.all([shared.keys.close(), shared.rows.close()]);
      await pool.destroy();
      own.stop();
      lookUp.stop();
    },
  };
}

/** Statements that may run before `begin` is known to have succeeded: outside a transaction they change nothing. */
const READ = /^select\b/;

/**
 * Reads go out together with `begin`, in one write. All else waits for it: were `begin` canceled alone, a statement behind
 * it would run outside any transaction. A read behind a `begin` that failed fails too. Statements of one tick go out in
 * one write, and run in the order in which they were sent.
 */
async function inTransaction<R>(
  connection: Connection,
  send: Send,
  work: (run: Run) => Promise<R>,
): Promise<R> {
  let isOver = false;
  const sendInTick: Run = (text, values) => {
    corkForThisTick(connection);
    return send(connection, text, values);
  };
  const begun = sendInTick('begin', []);
  const run: Run = async (text, values) => {
    if (!isOver && READ.test(text)) return (await Promise.all([begun, sendInTick(text, values)]))[1];
    await begun;
    // The connection may be another's by then.
    if (isOver) throw new Error('The transaction is over.');
    return sendInTick(text, values);
  };
  try {
    const [result] = await Promise.all([work(run), begun]);
    isOver = true;
    const { command } = await send(connection, 'commit', []);
    // Postgres answers the commit of a transaction in which a statement failed by undoing it, without an error.
    if (command !== 'COMMIT')
      throw new Error('The transaction was undone: one of its statements had failed.');
    return result;
  } catch (error) {
    isOver = true;
    await send(connection, 'rollback', []).catch((cause: unknown) => dispose(connection, cause));
    throw error;
  }
}

function sharedConnection(
  acquire: () => Promise<Connection>,
  release: (connection: Connection) => Promise<void>,
  send: Send,
): { readonly run: Run; close(): Promise<void> } {
  let held: Connection | Promise<Connection> | undefined;

  async function open(): Promise<Connection> {
    try {
      held = await acquire();
      return held;
    } catch (error) {
      held = undefined;
      throw error;
    }
  }

  return {
    async run(text, values) {
      if (held !== undefined && !(held instanceof Promise) && held.__knex__disposed) {
        void release(held);
        held = undefined;
      }
      held ??= open();
      const connection = held instanceof Promise ? await held : held;
      corkForThisTick(connection);
      return send(connection, text, values);
    },
    async close() {
      const last = await Promise.resolve(held).catch(() => undefined);
      held = undefined;
      if (last !== undefined) await release(last);
    },
  };
}
