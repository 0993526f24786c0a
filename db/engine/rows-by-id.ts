interface Options {
  /** The column that has the id: `p.id` in a join. */
  readonly key?: string;
  /** The ids, as an item of a `from` with the column `id`. */
  readonly ids?: string;
  /** A lock on the rows. They are locked in the order of their ids. */
  readonly lock?: 'for update' | 'for no key update' | 'for share' | 'for no key update skip locked';
}

/**
 * The values of a parameter, an array, as an item of a `from` with one column. Because of the `limit`, Postgres expects
 * one value when it plans a prepared statement, and not ten. Otherwise the plan for all lengths looks dearer than one
 * for a short list, and Postgres plans each call.
 */
export function valuesOf(parameter: string, type: 'uuid' | 'text' | 'bigint', column: string): string {
  const array = `cast(:${parameter} as ${type}[])`;
  return `(select ${column} from unnest(${array}) ${column} limit cardinality(${array})) ${parameter}`;
}

/**
 * The rows of a select, which ends with its conditions, whose ids are in the parameter `:ids`. Each is in the result
 * once, in the order of the ids.
 *
 * Use it in place of `id = any(:ids)`. For that, Postgres chooses between a search for each id by the primary key, and
 * one walk over all entries of the merchant in any index that has the column, such as that of a list. When it plans a
 * prepared statement, it does not know how many entries that are. For a merchant with a long history, the walk can take
 * 100 times as long. A join to the ids can read and hash all rows of the merchant. `lateral` leaves only the search for
 * each id, and `offset 0` keeps it as it is written.
 */
export function rowsById(
  select: string,
  { key = 'id', ids = valuesOf('ids', 'uuid', 'id'), lock }: Options = {},
): string {
  return `select found.* from (select distinct id from ${ids} order by id) wanted
     cross join lateral (${select} and ${key} = wanted.id offset 0 ${lock ?? ''}) found`;
}
