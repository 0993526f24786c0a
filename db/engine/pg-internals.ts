/**
 * What we use of pg beyond its documentation, all of it here. test/db/engine/pg-internals.test.ts fails where another
 * version of pg works differently.
 */
import pg from 'pg';
import { type Column, type RowReader, rowReader } from './row-reader.ts';

/** The socket of a connection. pg keeps it at `connection.stream`, and replaces it when TLS begins. */
export function socketOf(connection: pg.Client): Socket {
  return (connection as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** What we use of it. */
export interface Socket {
  readonly writableCorked: number;
  /** Holds back what is written, until `uncork`. */
  cork(): void;
  uncork(): void;
  destroy(error: Error): void;
}

/** pg calls `handleRowDescription` and `handleDataRow` of a query with these. */
interface RowDescription {
  readonly fields: readonly Column[];
}
interface DataRow {
  readonly fields: readonly (string | null)[];
}

/** What pg adds to the rows. */
export type Summary = Pick<pg.QueryResult<never>, 'rowCount' | 'command'>;

/**
 * A statement for `client.query`. It reads its rows itself, where pg would look up the parser of each column for every
 * answer and write each row property by property.
 */
export class Statement extends pg.Query {
  declare name: string | undefined;
  readonly found: unknown[] = [];
  /** What the parser of a type threw. The answer is still read to its end. */
  unreadable: unknown;
  readonly #text: string;
  #read: RowReader | undefined;

  /** `name` is that of the prepared statement; undefined for one that is not prepared. */
  constructor(
    text: string,
    values: readonly unknown[],
    name: string | undefined,
    done: (error: Error | null | undefined, summary: Summary) => void,
  ) {
    super(text, values as unknown[], done as never);
    this.#text = text;
    // Set afterwards: given a description, pg would copy it property by property.
    this.name = name;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#read = rowReader(this.#text, fields);
  }

  handleDataRow({ fields }: DataRow): void {
    if (this.unreadable !== undefined) return;
    try {
      this.found.push(this.#read!(fields));
    } catch (error) {
      this.unreadable = error;
    }
  }
}
