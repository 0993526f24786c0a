import { createHash } from 'node:crypto';
import pg from 'pg';
import { type Column, type RowReader, rowReader } from './row-reader.ts';

/** As Knex's pool hands it out: marked when it is broken, and then replaced at the next look. */
export type Connection = pg.Client & { __knex__disposed?: unknown };

export type StatementResult = Pick<pg.QueryResult<never>, 'rows' | 'rowCount' | 'command'>;

/** What is written in one tick leaves in one system call. */
export function corkForThisTick(connection: Connection): void {
  const { stream } = (connection as unknown as { connection: { stream: NodeJS.WritableStream & Corkable } })
    .connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

interface Corkable {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
}

/**
 * A prepared plan that went stale after a migration (0A000); a statement that is not prepared where it should be (26000),
 * as those sent behind one whose preparation failed; a server that only reads, in place of which another one may write by
 * now (25006); a connection that the server ends (57P, and 25P03 and 25P04 inside a transaction).
 */
const ENDS_CONNECTION = /^(0A000|26000|25006|25P0[34]|57P..)$/;

export type Send = (
  connection: Connection,
  text: string,
  values: readonly unknown[],
) => Promise<StatementResult>;

/** Runs a statement; those sent to one connection run one after another, and each fails for itself. */
export const send: Send = (connection, text, values) => {
  const name = values.length > 0 ? statementName(text) : undefined;
  return new Promise((resolve, reject) => {
    const statement: Statement = new Statement(text, values, (error, result) => {
      if (error === null || error === undefined) {
        if (statement.unreadable !== undefined) reject(statement.unreadable);
        else
          resolve({ rows: statement.found as never[], rowCount: result.rowCount, command: result.command });
        return;
      }
      const { severity, code = '' } = error as { severity?: string; code?: string };
      // Without a severity it is not the server that speaks: the connection is lost.
      if (severity === undefined || ENDS_CONNECTION.test(code)) dispose(connection, error);
      reject(withoutRow(error));
    });
    // Said afterwards: pg would copy a description of the statement, property by property.
    statement.name = name;
    connection.query(statement);
  });
};

type Done = (error: Error | null | undefined, result: StatementResult) => void;

/** Reads its rows itself. What it overrides is how pg hands the answer over to any query. */
class Statement extends pg.Query {
  declare name: string | undefined;
  readonly found: unknown[] = [];
  /** What the parser of a type threw; the answer is still read to its end. */
  unreadable: unknown;
  readonly #text: string;
  #read: RowReader | undefined;

  constructor(text: string, values: readonly unknown[], done: Done) {
    super(text, values as unknown[], done as never);
    this.#text = text;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.#read = rowReader(this.#text, fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.unreadable !== undefined) return;
    try {
      this.found.push(this.#read!(fields));
    } catch (error) {
      this.unreadable = error;
    }
  }
}

/** Has the pool throw the connection away once it is given back. */
export function dispose(connection: Connection, cause: unknown): void {
  connection.__knex__disposed ??= cause;
}

/** Most distinct statements that one connection keeps prepared; past it, statements go unnamed. */
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

/** Postgres repeats the row or the key that an error is about: what a merchant keeps with us is for no log. */
function withoutRow(error: Error & { detail?: unknown; where?: unknown }): Error {
  error.detail = undefined;
  error.where = undefined;
  return error;
}
