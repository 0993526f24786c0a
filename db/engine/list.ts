import knex, { type Knex } from 'knex';
import { firstIdAt } from './ids-by-time.ts';

/** Builds the text of statements. It has no connection: `Queryable` sends them. */
const builder = knex({ client: 'pg' });

/** A select as Knex builds it. */
export type Query = Knex.QueryBuilder;
/** The placeholder of a filter value. */
export type Value = Knex.Raw;

/** The condition of a filter on a row. */
export type Condition =
  | ((query: Query, value: Value) => unknown)
  /** For a filter that is an array: the column equals one of its values. */
  | { readonly anyOf: string };

/** A list that is read page by page, newest first, narrowed by optional filters. */
export interface ListDefinition<Filter> {
  readonly columns: string;
  /** A table, or a join in which `alias` is the listed table. */
  readonly from: string;
  readonly alias?: string;
  /** The column that orders rows with the same time. Default: `id`. */
  readonly idColumn?: string;
  /**
   * Ids were made at `created_at` (UUID version 7), so that they alone give the order, and indexes need no
   * `created_at`.
   */
  readonly hasIdsByTime?: boolean;
  /** A further condition on every row. The scope of the listed table is added. */
  readonly where?: string;
  readonly filters: { readonly [Name in keyof Filter]-?: Condition };
}

/** A list and the texts of its statements, by filters and bounds. */
export interface List<Row, Filter> extends ListDefinition<Filter> {
  readonly texts: Map<string, string>;
  /** Only for the type checker: the type of the rows. Never set. */
  readonly row?: Row;
}

/** The bounds that a page has. */
export interface Bounds {
  readonly after: boolean;
  readonly createdFrom: boolean;
  readonly createdBefore: boolean;
}

export function defineList<Row, Filter>(definition: ListDefinition<Filter>): List<Row, Filter> {
  return { ...definition, texts: new Map() };
}

/** The column equals the value of the filter. */
export function equals(column: string): Condition {
  return (query, value) => query.where(column, value);
}

/** The filters that are given, under the names of their parameters. */
export function filterParams(filter: object): Record<string, unknown> {
  return Object.fromEntries(
    givenFilters(filter).flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((one, i) => [parameterOf(name, i), one])
        : [[parameterOf(name), value]],
    ),
  );
}

/**
 * The statement for a page of several lists with the same columns, as if they were one, with the scopes and parameters
 * of `sql.ts`. No row is in two of them. It contains only conditions of filters that are given: with
 * `:x is null or …`, the plan of a prepared statement could not use the index of a filter.
 */
export function listStatement<Row, Filter extends object>(
  lists: readonly List<Row, Filter>[],
  filter: Filter,
  bounds: Bounds,
): string {
  return unionOf(lists.map((list) => builtOnce(list, filter, bounds)));
}

/** The statement of one list. It is built once for each combination of filters and bounds. */
function builtOnce<Row, Filter extends object>(
  list: List<Row, Filter>,
  filter: Filter,
  bounds: Bounds,
): string {
  const given = givenFilters(filter);
  const shape = [
    ...given.map(([name, value]) => (Array.isArray(value) ? `${name}:${value.length}` : name)),
    ...Object.entries(bounds).map(([name, isGiven]) => (isGiven ? `<${name}>` : '')),
  ].join();
  let text = list.texts.get(shape);
  if (text === undefined) {
    text = statement(list, given, bounds);
    list.texts.set(shape, text);
  }
  return text;
}

/** The first rows of selects with the same order. */
function unionOf(selects: readonly string[], id = 'id'): string {
  if (selects.length === 1) return selects[0]!;
  return `(${selects.join(') union all (')}) order by created_at desc, ${id} desc limit :limit`;
}

type Given = readonly (readonly [name: string, value: unknown])[];

/** An empty array is no filter. */
function givenFilters(filter: object): Given {
  return Object.entries(filter).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
}

function parameterOf(name: string, index?: number): string {
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return index === undefined ? `by_${words}` : `by_${words}_${index}`;
}

/**
 * One select, or the union of one select for each value of an array: an index has the rows of each value in the order
 * of the list, but not those of several values. Each select reads one page at most.
 */
function statement(list: ListDefinition<unknown>, given: Given, bounds: Bounds): string {
  const filters = list.filters as Readonly<Record<string, Condition>>;
  const single = given.filter(([name]) => typeof filters[name] === 'function');
  const anyOfFilter = given.find(([name]) => typeof filters[name] === 'object');
  const select = (add: (query: Query) => unknown) => {
    const query = selectOf(list, bounds);
    for (const [name] of single) {
      (filters[name] as (query: Query, value: Value) => unknown)(query, placeholder(parameterOf(name)));
    }
    add(query);
    const time = list.hasIdsByTime ? '' : `${columnOf(list, 'created_at')} desc, `;
    return `${textOf(query)} order by ${time}${idOf(list)} desc limit :limit`;
  };
  if (anyOfFilter === undefined) return select(() => {});
  const [name, values] = anyOfFilter as readonly [string, readonly unknown[]];
  const { anyOf } = filters[name] as { readonly anyOf: string };
  const selects = values.map((_, i) =>
    select((query) => query.where(anyOf, placeholder(parameterOf(name, i)))),
  );
  return unionOf(selects, list.idColumn === undefined ? 'id' : 'cursor_id');
}

function selectOf(list: ListDefinition<unknown>, bounds: Bounds): Query {
  const [createdAt, id] = [columnOf(list, 'created_at'), idOf(list)];
  const cursor = `${cursorTime(createdAt)} as cursor_at${list.idColumn === undefined ? '' : `, ${id} as cursor_id`}`;
  const query: Query = builder
    .select(builder.raw(`${list.columns}, ${cursor}`))
    .from(builder.raw(list.from))
    .whereRaw(list.alias === undefined ? '{scope}' : `{scope:${list.alias}}`);
  if (list.where !== undefined) query.whereRaw(list.where);
  if (list.hasIdsByTime) return withIdBounds(query, id, bounds);
  if (bounds.after) query.whereRaw(`(${createdAt}, ${id}) < (:cursor_at, :cursor_id)`);
  if (bounds.createdFrom) query.where(createdAt, '>=', placeholder('created_from'));
  if (bounds.createdBefore) query.where(createdAt, '<', placeholder('created_before'));
  return query;
}

function withIdBounds(query: Query, id: string, bounds: Bounds): Query {
  const idAt = (parameter: string) => firstIdAt(`cast(:${parameter} as timestamptz)`);
  if (bounds.after) query.whereRaw(`${id} < :cursor_id`);
  if (bounds.createdFrom) query.whereRaw(`${id} >= ${idAt('created_from')}`);
  if (bounds.createdBefore) query.whereRaw(`${id} < ${idAt('created_before')}`);
  return query;
}

function columnOf({ alias }: ListDefinition<unknown>, name: string): string {
  return alias === undefined ? name : `${alias}.${name}`;
}

function idOf(list: ListDefinition<unknown>): string {
  return columnOf(list, list.idColumn ?? 'id');
}

function placeholder(parameter: string): Value {
  return builder.raw(`:${parameter}`);
}

/** Only the text of a statement is stored, so a value inside a condition would be lost. */
function textOf(query: Query): string {
  const { sql, bindings } = query.toSQL();
  if (bindings.length > 0) throw new Error(`A condition of a list contains a value: ${sql}`);
  return sql;
}

/** With all six decimals: a Date would cut them, and the next page would skip or repeat rows. */
function cursorTime(createdAt: string): string {
  return `to_char(${createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
