import pg from 'pg';
import type { MerchantScope } from '../../domain/scope.ts';
import {
  type ConnectionOptions,
  type Connections,
  openConnections,
  type RunWithQuota,
  type SharedKind,
} from './connections.ts';
import { parseInstant } from './instants.ts';
import { anySql, type SqlParams, scopedSql, slotSql } from './sql.ts';
import { DatabaseUnavailable, isContended, isRetryable, isUnavailable } from './unavailable.ts';

// pg returns bigint as text. Amounts and counters are far below 2^53; a larger one must fail instead of being rounded.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`A bigint does not fit a number: ${text}`);
  return value;
});
// A date is a calendar day, not an instant.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseInstant);

/** Reads and writes within one merchant: the database itself, or a transaction. */
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
  /** A statement that may touch every shard, for administration. */
  anywhere<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
}

/** Reads of rows by their keys. They are fast and never wait for a lock. */
export interface LookUp extends Queryable {
  /** Before the merchant is known. */
  slotRows<Row>(slot: number, sql: string, params?: SqlParams): Promise<Row[]>;
  /** For API keys. They do not wait for the others. */
  keyRows<Row>(slot: number, sql: string, params?: SqlParams): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Look-ups share connections, so a slow statement would delay other requests. */
  readonly lookUp: LookUp;
  /**
   * Runs `work` in a transaction of this merchant, and again after a deadlock, three times at most. So `work` must have
   * no effect except on the database through `tx`.
   */
  transaction<R>(scope: MerchantScope, work: (tx: Tx) => Promise<R>): Promise<R>;
  /** A statement over the merchants of one slot: it claims or finds work. The text carries `{slot}`. */
  slotRows<Row>(slot: number, sql: string, params?: SqlParams): Promise<Row[]>;
  /** A statement that may touch every shard: discovery of slots with work, and administration. Not for requests. */
  anywhere<Row>(sql: string, params?: SqlParams): Promise<Row[]>;
  close(): Promise<void>;
}

const MAX_TRANSACTION_RUNS = 3;

/** Opens the database at `url`. Connects when the first statement is sent. */
export function openDatabase(options: ConnectionOptions): Database {
  const connections = openConnections(options);
  const run = orUnavailable(connections.run);
  const lookUp = (kind: SharedKind) =>
    orUnavailable((_, text, values) => connections.runShared(kind, text, values));
  const [lookUpKeys, lookUpRows] = [lookUp('keys'), lookUp('rows')];
  return {
    ...queryable(run),
    lookUp: {
      ...queryable(lookUpRows),
      slotRows: (slot, sql, params = {}) => slotRows(lookUpRows, slot, sql, params),
      keyRows: (slot, sql, params = {}) => slotRows(lookUpKeys, slot, sql, params),
    },
    transaction: (scope, work) => transaction(connections, scope, work),
    slotRows: (slot, sql, params = {}) => slotRows(run, slot, sql, params),
    anywhere: async (sql, params = {}) => (await run(undefined, ...anySql(sql, params))).rows,
    close: () => connections.close(),
  };
}

/**
 * Replaces errors that mean that the database is not available, such as a lost connection, by `DatabaseUnavailable`.
 */
function orUnavailable(run: RunWithQuota): RunWithQuota {
  return async (holder, text, values) => {
    try {
      return await run(holder, text, values);
    } catch (error) {
      throw isUnavailable(error) ? new DatabaseUnavailable(error) : error;
    }
  };
}

async function slotRows<Row>(
  run: RunWithQuota,
  slot: number,
  sql: string,
  params: SqlParams,
): Promise<Row[]> {
  return (await run(undefined, ...slotSql(slot, sql, params))).rows;
}

function queryable(run: RunWithQuota): Queryable {
  return {
    rows: async (scope, sql, params = {}) =>
      (await run(scope.merchantId, ...scopedSql(scope, sql, params))).rows,
    maybeOne: async (scope, sql, params = {}) =>
      (await run(scope.merchantId, ...scopedSql(scope, sql, params))).rows[0],
    one: async (scope, sql, params = {}) => {
      const { rows } = await run(scope.merchantId, ...scopedSql(scope, sql, params));
      if (rows.length !== 1) throw new Error(`Expected one row, got ${rows.length}: ${sql}`);
      return rows[0]!;
    },
    execute: async (scope, sql, params = {}) =>
      (await run(scope.merchantId, ...scopedSql(scope, sql, params))).rowCount ?? 0,
  };
}

async function transaction<R>(
  connections: Connections,
  { merchantId }: MerchantScope,
  work: (tx: Tx) => Promise<R>,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connections.transaction(merchantId, (run) => {
        const ofTransaction = orUnavailable((_, text, values) => run(text, values));
        return work({
          ...queryable(ofTransaction),
          transaction: true,
          anywhere: async (sql, params = {}) => (await ofTransaction(undefined, ...anySql(sql, params))).rows,
        });
      });
    } catch (error) {
      if (isRetryable(error) && attempt < MAX_TRANSACTION_RUNS) continue;
      throw isUnavailable(error) || isContended(error) ? new DatabaseUnavailable(error) : error;
    }
  }
}
