import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Statement, type Summary, socketOf } from './pg-internals.ts';
import { discard } from './pool.ts';

export type Connection = pg.Client;

export interface StatementResult extends Summary {
  readonly rows: never[];
}

/** Sends what is written to the connection in this tick in one system call. */
export function corkForThisTick(connection: Connection): void {
  const socket = socketOf(connection);
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/**
 * Errors after which the connection is closed: a prepared plan that went stale after a migration (0A000); a statement that
 * is not prepared where it should be (26000), such as those sent behind one whose preparation failed; a server that only
 * reads, which another one may have replaced (25006); a connection that the server ends (57P, and 25P03 and 25P04 inside a
 * transaction).
 */
const ENDS_CONNECTION = /^(0A000|26000|25006|25P0[34]|57P..)$/;

export type Send = (
  connection: Connection,
  text: string,
  values: readonly unknown[],
) => Promise<StatementResult>;

/** Runs a statement. Those sent to one connection run one after another, and each fails for itself. */
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

/** Most distinct statements that one connection keeps prepared. Further ones are sent without a name. */
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
  // Without a severity the error is not the server's: the connection is lost.
  return error.severity === undefined || ENDS_CONNECTION.test(error.code ?? '');
}

/** Postgres repeats the row or the key that an error is about. What a merchant stores with us must not be logged. */
function withoutRow(error: Error & { detail?: unknown; where?: unknown }): Error {
  error.detail = undefined;
  error.where = undefined;
  return error;
}
