import { type Cursor, encodeCursor } from '../../domain/cursor.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from './database.ts';
import { filterParams, type List, listStatement } from './list.ts';

/** The page of a list that is requested. Times are ISO 8601 UTC with six decimals; null means no bound. */
export interface PageRequest {
  readonly perPage: number;
  /** The last row of the previous page; null for the first page. */
  readonly after: Cursor | null;
  readonly createdFrom: string | null;
  readonly createdBefore: string | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly perPage: number;
  /** Opaque text with which the next page is requested; null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * One page of a merchant's rows, newest first. Each list needs an index on `(slot, merchant_id, …, created_at desc, id
 * desc)`: the row comparison then starts reading at the cursor, so that every page costs the same. Rows are not
 * counted; one row more than requested shows whether others follow.
 */
export async function fetchPage<Row extends { id: string; cursor_id?: string }, Filter extends object>(
  q: Queryable,
  scope: MerchantScope,
  list: List<Row, Filter>,
  filter: Filter,
  request: PageRequest,
): Promise<Page<Row>> {
  return fetchUnionPage(q, scope, [list], filter, request);
}

/** One page of several lists with the same columns, as if they were one. No row is in two of them. */
export async function fetchUnionPage<Row extends { id: string; cursor_id?: string }, Filter extends object>(
  q: Queryable,
  scope: MerchantScope,
  lists: readonly List<Row, Filter>[],
  filter: Filter,
  request: PageRequest,
): Promise<Page<Row>> {
  return pageOf(await fetchRows(q, scope, lists, filter, request), request);
}

/**
 * One page of two lists with the same columns, whose ids sort by time, as if they were one. If a row moves from the
 * first list to the second one during the read, it is on the page once.
 */
export async function fetchMergedPage<Row extends { id: string }, Filter extends object>(
  q: Queryable,
  scope: MerchantScope,
  [first, second]: readonly [List<Row, Filter>, List<Row, Filter>],
  filter: Filter,
  request: PageRequest,
): Promise<Page<Row>> {
  const early = await fetchRows(q, scope, [first], filter, request);
  const late = await fetchRows(q, scope, [second], filter, request);
  if (early.length === 0) return pageOf(late, request);
  const rows = new Map([...early, ...late].map((row) => [row.id, row]));
  // Ids have lower case, so that their texts sort as they do.
  const sorted = [...rows.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
  return pageOf(sorted, request);
}

type Listed<Row> = Row & { readonly cursor_at: string };

function fetchRows<Row, Filter extends object>(
  q: Queryable,
  scope: MerchantScope,
  lists: readonly List<Row, Filter>[],
  filter: Filter,
  request: PageRequest,
): Promise<Listed<Row>[]> {
  const { perPage, after, createdFrom, createdBefore } = request;
  const bounds = {
    after: after !== null,
    createdFrom: createdFrom !== null,
    createdBefore: createdBefore !== null,
  };
  return q.rows(scope, listStatement(lists, filter, bounds), {
    ...filterParams(filter),
    limit: perPage + 1,
    cursor_at: after?.createdAt,
    cursor_id: after?.id,
    created_from: createdFrom,
    created_before: createdBefore,
  });
}

/** The page of the first rows, of which there may be more than it has. */
function pageOf<Row extends { id: string; cursor_id?: string }>(
  rows: readonly Listed<Row>[],
  { perPage }: PageRequest,
): Page<Row> {
  const items = rows.slice(0, perPage);
  const last = items.at(-1);
  const nextCursor =
    last !== undefined && rows.length > items.length
      ? encodeCursor({ createdAt: last.cursor_at, id: last.cursor_id ?? last.id })
      : null;
  return { items, perPage, nextCursor };
}

/** The page with each item replaced by the result of `map`. */
export function mapPage<From, To>(page: Page<From>, map: (item: From) => To): Page<To> {
  return { ...page, items: page.items.map(map) };
}
