import { type Cursor, encodeCursor } from '../../domain/cursor.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from './database.ts';
import type { SqlParams } from './sql.ts';

/** Which page of a list is wanted. Times are ISO 8601 UTC with six decimals; null leaves that side open. */
export interface PageRequest {
  readonly perPage: number;
  /** The last row of the page before; null for the newest rows. */
  readonly after: Cursor | null;
  readonly createdFrom: string | null;
  readonly createdBefore: string | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly perPage: number;
  /** Opaque text that asks for the page after this one; null when nothing follows. */
  readonly nextCursor: string | null;
}

/** Where a list's rows come from: a table, or a join with the listed table under `alias`. */
export interface PageSource {
  readonly columns: string;
  readonly from: string;
  readonly alias?: string;
  /** The column that orders rows of one instant; `id` where it is left out. */
  readonly idColumn?: string;
  /** Conditions besides the scope, joined by `and`; one that is undefined is left out. */
  readonly where?: readonly (string | undefined)[];
  /**
   * Conditions of which any one may hold, for values that no single index range covers: the rows of each are read in the
   * order of its index, at most a page of them, and merged. `columns` must then hold `created_at`.
   */
  readonly anyOf?: readonly string[];
  readonly params?: SqlParams;
}

/**
 * One page of a merchant's rows, newest first. Each list needs an index on `(slot, merchant_id, …, created_at desc,
 * id desc)`: the row comparison then starts reading at the cursor, so that any depth costs the same. Nothing is
 * counted; one row more than asked for tells whether others follow. A condition that is not wanted is left out of the
 * text, as `:x is null or …` would hide the index from a prepared statement's plan.
 */
export async function fetchPage<Row extends { id: string; cursor_id?: string }>(
  q: Queryable,
  scope: MerchantScope,
  source: PageSource,
  request: PageRequest,
): Promise<Page<Row>> {
  const rows = await q.rows<Row & { cursor_at: string }>(scope, pageSql(source, request), {
    ...source.params,
    limit: request.perPage + 1,
    ...(request.after && { cursor_at: request.after.createdAt, cursor_id: request.after.id }),
    ...(request.createdFrom && { created_from: request.createdFrom }),
    ...(request.createdBefore && { created_before: request.createdBefore }),
  });
  const items = rows.slice(0, request.perPage);
  const last = items.at(-1);
  const nextCursor =
    last !== undefined && rows.length > items.length
      ? encodeCursor({ createdAt: last.cursor_at, id: last.cursor_id ?? last.id })
      : null;
  return { items, perPage: request.perPage, nextCursor };
}

/** The same page of something else. */
export function mapPage<From, To>(page: Page<From>, map: (item: From) => To): Page<To> {
  return { ...page, items: page.items.map(map) };
}

function pageSql(source: PageSource, request: PageRequest): string {
  const { anyOf = [] } = source;
  if (anyOf.length === 0) return selectSql(source, request, undefined);
  const selects = anyOf.map((condition) => selectSql(source, request, condition));
  if (selects.length === 1) return selects[0]!;
  return `(${selects.join(')\nunion all\n(')})
           order by created_at desc, ${source.idColumn === undefined ? 'id' : 'cursor_id'} desc
           limit :limit`;
}

function selectSql(source: PageSource, request: PageRequest, condition: string | undefined): string {
  const of = source.alias === undefined ? '' : `${source.alias}.`;
  const { idColumn } = source;
  const id = `${of}${idColumn ?? 'id'}`;
  const conditions = [
    source.alias === undefined ? '{scope}' : `{scope:${source.alias}}`,
    ...(source.where ?? []),
    condition,
    request.after === null ? undefined : `(${of}created_at, ${id}) < (:cursor_at, :cursor_id)`,
    request.createdFrom === null ? undefined : `${of}created_at >= :created_from`,
    request.createdBefore === null ? undefined : `${of}created_at < :created_before`,
  ].filter((one) => one !== undefined);
  return `select ${source.columns}, ${cursorTime(of)} as cursor_at${idColumn === undefined ? '' : `, ${id} as cursor_id`}
            from ${source.from}
           where ${conditions.join('\n             and ')}
           order by ${of}created_at desc, ${id} desc
           limit :limit`;
}

/** With all six decimals: a Date would round them, and the next page would skip or repeat rows. */
function cursorTime(of: string): string {
  return `to_char(${of}created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
