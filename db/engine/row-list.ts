import { jsonArray, plainArray, textArray, timeArray } from './array-text.ts';
import type { SqlParams } from './sql.ts';

/** What the values of each type are. JSON is passed as text, a `date` as `YYYY-MM-DD`. */
interface Values {
  readonly uuid: string;
  readonly text: string;
  readonly bigint: number;
  readonly integer: number;
  readonly smallint: number;
  readonly boolean: boolean;
  readonly date: string;
  readonly timestamptz: Date;
  readonly json: string;
  readonly jsonb: string;
}

/** The columns of a list of rows, with their Postgres types. */
export type ColumnTypes<Column extends string = string> = Readonly<Record<Column, keyof Values>>;

export interface RowList {
  /** An item of a `from`, with its alias. */
  readonly sql: string;
  readonly params: SqlParams;
}

/** A row of a list. */
export type Row<Types extends ColumnTypes> = {
  readonly [Column in keyof Types]: Values[Types[Column]] | null;
};

/** How an array of each type is formatted. */
const FORMATS: { readonly [Type in keyof Values]: (values: readonly (Values[Type] | null)[]) => string } = {
  uuid: plainArray,
  text: textArray,
  bigint: plainArray,
  integer: plainArray,
  smallint: plainArray,
  boolean: plainArray,
  date: plainArray,
  timestamptz: timeArray,
  json: jsonArray,
  jsonb: jsonArray,
};

/** Postgres plans a list of one row like its parameters alone. A statement is prepared for each length. */
const MAX_VALUES = 4;

interface PlanOptions {
  /**
   * Whether Postgres expects one row, as for `valuesOf`. Only for a statement that searches a table by the key of each
   * row: with a join to another list, each row would be compared with all of its rows.
   */
  readonly isPlannedForOne?: boolean;
}

/**
 * Rows of parameters as the table `alias` of a statement: a list of values, or arrays if there are many rows, so that
 * the text of the statement does not depend on their number. `alias` begins the names of the parameters.
 */
export function rowList<const Types extends ColumnTypes>(
  alias: string,
  types: Types,
  rows: readonly Row<NoInfer<Types>>[],
  { isPlannedForOne = false }: PlanOptions = {},
): RowList {
  const columns = Object.keys(types);
  if (rows.length <= MAX_VALUES) return valueList(alias, columns, types, rows);
  return arrays(alias, columns, types, rows, isPlannedForOne);
}

function valueList(
  alias: string,
  columns: readonly string[],
  types: ColumnTypes,
  rows: readonly Row<ColumnTypes>[],
): RowList {
  const params: Record<string, unknown> = {};
  const values = rows.map((row, i) => {
    const cells = columns.map((column) => {
      const name = `${alias}_${column}_${i}`;
      params[name] = row[column];
      return `cast(:${name} as ${types[column]})`;
    });
    return `(${cells.join(', ')})`;
  });
  return { sql: `(values ${values.join(', ')}) ${alias} (${columns.join(', ')})`, params };
}

function arrays(
  alias: string,
  columns: readonly string[],
  types: ColumnTypes,
  rows: readonly Row<ColumnTypes>[],
  isPlannedForOne: boolean,
): RowList {
  const isJson = (column: string) => types[column]!.startsWith('json');
  const read = columns.map((column) =>
    isJson(column) ? `cast(u.${column} as ${types[column]}) as ${column}` : `u.${column}`,
  );
  const unnested = columns.map(
    (column) => `cast(:${alias}_${column} as ${isJson(column) ? 'text' : types[column]}[])`,
  );
  const limit = isPlannedForOne ? `limit cardinality(${unnested[0]})` : '';
  return {
    sql: `(select ${read.join(', ')} from unnest(${unnested.join(', ')}) u (${columns.join(', ')}) ${limit}) ${alias}`,
    params: Object.fromEntries(
      columns.map((column) => {
        const format = FORMATS[types[column]!] as (values: readonly unknown[]) => string;
        return [`${alias}_${column}`, format(rows.map((row) => row[column] ?? null))];
      }),
    ),
  };
}
