/**
 * All uses of pg that its documentation does not cover. test/db/engine/pg-internals.test.ts fails if another version of
 * pg works differently.
 */
import pg from 'pg';
import { type Column, type RowReader, rowReader } from './row-reader.ts';

/** The socket of a connection. pg keeps it at `connection.stream`, and replaces it when TLS begins. */
export function socketOf(connection: pg.Client): Socket {
  return (connection as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;
}

/** The part of the socket that we use. */
export interface Socket {
  readonly writableCorked: number;
  /** Buffers what is written until `uncork`. */
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

/** The connection of a client, to which a query writes its messages. */
interface Wire {
  describe(portal: object): void;
}

/** A connection on which statements are prepared. */
interface Prepared {
  /** The row readers of its prepared statements, by name; undefined for a statement that returns no rows. */
  readonly readers: Map<string, RowReader | undefined>;
  /** The same connection, for statements whose columns are known. */
  readonly withoutDescribe: Wire;
}
const preparedOn = new WeakMap<Wire, Prepared>();

function preparedOf(wire: Wire): Prepared {
  let prepared = preparedOn.get(wire);
  if (prepared === undefined) {
    const withoutDescribe = Object.create(wire, { describe: { value: () => {} } }) as Wire;
    prepared = { readers: new Map(), withoutDescribe };
    preparedOn.set(wire, prepared);
  }
  return prepared;
}

const { prepare, handleCommandComplete } = pg.Query.prototype as unknown as {
  prepare(wire: Wire): void;
  handleCommandComplete(message: object, wire: Wire): void;
};

/** The fields of a result, except the rows. */
export type Summary = Pick<pg.QueryResult<never>, 'rowCount' | 'command'>;

/**
 * A statement for `client.query`. It reads its rows itself, because pg looks up the parser of each column for every
 * answer and sets each row property by property. It asks for the description of the columns of a prepared statement
 * once for each connection: if they would change, Postgres fails the statement with 0A000.
 */
export class Statement extends pg.Query {
  declare name: string | undefined;
  readonly found: unknown[] = [];
  /** The error of a type parser. The rest of the answer is still read. */
  unreadable: unknown;
  readonly #text: string;
  #read: RowReader | undefined;

  /** `name` is the name of the prepared statement; undefined for a statement that is not prepared. */
  constructor(
    text: string,
    values: readonly unknown[],
    name: string | undefined,
    done: (error: Error | null | undefined, summary: Summary) => void,
  ) {
    super(text, values as unknown[], done as never);
    this.#text = text;
    // Set here, because pg would copy an options object property by property.
    this.name = name;
  }

  prepare(wire: Wire): void {
    const { readers, withoutDescribe } = preparedOf(wire);
    const isKnown = this.name !== undefined && readers.has(this.name);
    if (isKnown) this.#read = readers.get(this.name!);
    prepare.call(this, isKnown ? withoutDescribe : wire);
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

  handleCommandComplete(message: object, wire: Wire): void {
    if (this.name !== undefined) preparedOf(wire).readers.set(this.name, this.#read);
    handleCommandComplete.call(this, message, wire);
  }
}
