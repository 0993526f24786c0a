import { createRequire } from 'node:module';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { MerchantScope } from '../domain/scope.ts';
import { namedStatementClient } from './named-statements.ts';
import { anySql, type SqlParams, scopedSql, slotSql } from './sql.ts';
import { DatabaseUnavailable, isContended, isRetryable, isUnavailable } from './unavailable.ts';

const requireModule = createRequire(import.meta.url);
const PostgresDialect = requireModule('knex/lib/dialects/postgres/index.js');

// bigint arrives as text; amounts and counters here are far below 2^53, and one that is not must not be rounded.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`A bigint does not fit a number: ${text}`);
  return value;
});
// A date is a calendar day, not an instant.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** What reads and writes within one merchant: the database itself, or a transaction. */
export interface Queryable {
  rows<Row>(scope: MerchantScope, sql: string, params?: SqlParams): Promise<Row[]>;
  maybeOne<Row>(scope: MerchantScope, sql: string, params?: SqlParams): Promise<Row | undefined>;
  /** Throws unless exactly one row comes back. */
  one<Row>(scope: MerchantScope, sql: string, params?: SqlParams): Promise<Row>;
  /** Runs a statement; resolves to the number of rows that it touched. */
  execute(scope: MerchantScope, sql: string, params?: SqlParams): Promise<number>;
}

/** An open transaction. A repository function that must not run outside one asks for this type. */
export interface Tx extends Queryable {
  readonly transaction: true;
}

export interface Database extends Queryable {
  /** Runs `work` in a transaction; run again (at most 3 times) after a deadlock, so it must only touch the database. */
  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
  /** Claims and finds within one slot; the text carries `{slot}`. */
  slotRows<Row>(slot: number, sql: string, params?: SqlParams): Promise<Row[]>;
  /** Discovery of slots with work, and administration: may touch every shard, never on a hot path. */
  anywhere<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections?: number;
  readonly statementTimeout_ms?: number;
}

const MAX_TRANSACTION_RUNS = 3;

/** Opens a pool on `url` (a postgres:// address; a socket directory goes in `?host=`). Connects lazily. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = knex({
    client: namedStatementClient(PostgresDialect) as unknown as typeof Knex.Client,
    connection: {
      connectionString: options.url,
      application_name: 'centavo',
      statement_timeout: options.statementTimeout_ms ?? 15_000,
      query_timeout: (options.statementTimeout_ms ?? 15_000) + 5_000,
      lock_timeout: 10_000,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    pool: {
      min: 0,
      max: options.maxConnections ?? 10,
      idleTimeoutMillis: 60_000,
      propagateCreateError: true,
    },
    acquireConnectionTimeout: 3_000,
    // What fails is thrown, and logged where it is known which request or job it was.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
  return {
    ...queryable((sql, values) => pool.raw(sql, values as Knex.RawBinding[])),
    transaction: (work) => transaction(pool, work),
    slotRows: async (slot, sql, params = {}) => {
      const [text, values] = slotSql(slot, sql, params);
      return (await run(pool, text, values)).rows;
    },
    anywhere: async (sql, params = {}) => {
      const [text, values] = anySql(sql, params);
      return (await run(pool, text, values)).rows;
    },
    close: () => pool.destroy(),
  };
}

type RawResult = { rows: never[]; rowCount: number };

async function run(pool: Knex, text: string, values: unknown[]): Promise<RawResult> {
  try {
    return (await pool.raw(text, values as Knex.RawBinding[])) as RawResult;
  } catch (error) {
    throw isUnavailable(error) ? new DatabaseUnavailable(error) : error;
  }
}

function queryable(raw: (sql: string, values: unknown[]) => PromiseLike<unknown>): Queryable {
  async function result(scope: MerchantScope, sql: string, params: SqlParams): Promise<RawResult> {
    const [text, values] = scopedSql(scope, sql, params);
    try {
      return (await raw(text, values)) as RawResult;
    } catch (error) {
      throw isUnavailable(error) ? new DatabaseUnavailable(error) : error;
    }
  }
  return {
    rows: async (scope, sql, params = {}) => (await result(scope, sql, params)).rows,
    maybeOne: async (scope, sql, params = {}) => (await result(scope, sql, params)).rows[0],
    one: async (scope, sql, params = {}) => {
      const { rows } = await result(scope, sql, params);
      if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}: ${sql}`);
      return rows[0]!;
    },
    execute: async (scope, sql, params = {}) => (await result(scope, sql, params)).rowCount,
  };
}

async function transaction<R>(pool: Knex, work: (tx: Tx) => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.transaction((trx) =>
        work({ ...queryable((sql, values) => trx.raw(sql, values as Knex.RawBinding[])), transaction: true }),
      );
    } catch (error) {
      if (isRetryable(error) && attempt < MAX_TRANSACTION_RUNS) continue;
      throw isUnavailable(error) || isContended(error) ? new DatabaseUnavailable(error) : error;
    }
  }
}
