import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Statement, type Summary, socketOf } from './pg-internals.ts';
import { discard } from './pool.ts';

export type Connection = pg.Client;

export interface StatementResult extends Summary {
  readonly rows: never[];
}

/** Sends everything that is written to the connection in this tick in one system call. */
export function corkForThisTick(connection: Connection): void {
  const socket = socketOf(connection);
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/**
 * Errors after which the connection is closed: a prepared plan that is out of date after a migration (0A000); a
 * statement that is not prepared (26000), for example because the preparation before it failed; a server that is
 * read-only, because another one may have replaced it (25006); a connection that the server closes (57P, and 25P03 and
 * 25P04 inside a transaction).
 */
const ENDS_CONNECTION = /^(0A000|26000|25006|25P0[34]|57P..)$/;

export type Send = (
  connection: Connection,
  text: string,
  values: readonly unknown[],
) => Promise<StatementResult>;

/**
 * Runs a statement. The statements of one connection run one after another; a failure of one does not affect the
 * others.
 */
export const send: Send = (connection, text, values) => {
  const name = values.length > 0 ? statementName(text) : undefined;
  return new Promise((resolve, reject) => {
    const statement = new Statement(text, values, name, (error, summary) => {
      if (error !== null && error !== undefined) {
        if (endsConnection(error)) discard(connection);
        reject(withoutRow(error));
      } else if (statement.unreadable !== undefined) reject(statement.unreadable);
      else
        resolve({ rows: statement.found as never[], rowCount: summary.rowCount, command: summary.command });
    });
    connection.query(statement);
  });
};

/** The maximum of statements that one connection keeps prepared. Further ones are not prepared. */
const MAX_NAMED_STATEMENTS = 500;

const names = new Map<string, string>();

/** Statements with parameters are prepared once per connection and then run by name. */
function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMED_STATEMENTS) return known;
  const name = createHash('sha1').update(text).digest('hex');
  names.set(text, name);
  return name;
}

function endsConnection(error: Error & { severity?: string; code?: string }): boolean {
  // An error without a severity does not come from the server: the connection is lost.
  return error.severity === undefined || ENDS_CONNECTION.test(error.code ?? '');
}

/** Postgres includes the row or the key in an error. Data of merchants must not be logged. */
function withoutRow(error: Error & { detail?: unknown; where?: unknown }): Error {
  error.detail = undefined;
  error.where = undefined;
  return error;
}
