import { type Cursor, encodeCursor } from '../../domain/cursor.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from './database.ts';
import { filterParams, type List, listStatement } from './list.ts';

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

/**
 * One page of a merchant's rows, newest first. Each list needs an index on `(slot, merchant_id, …, created_at desc,
 * id desc)`: the row comparison then starts reading at the cursor, so that any depth costs the same. Nothing is
 * counted; one row more than asked for tells whether others follow.
 */
export async function fetchPage<Row extends { id: string; cursor_id?: string }, Filter extends object>(
  q: Queryable,
  scope: MerchantScope,
  list: List<Row, Filter>,
  filter: Filter,
  request: PageRequest,
): Promise<Page<Row>> {
  const { perPage, after, createdFrom, createdBefore } = request;
  const bounds = {
    after: after !== null,
    createdFrom: createdFrom !== null,
    createdBefore: createdBefore !== null,
  };
  const rows = await q.rows<Row & { cursor_at: string }>(scope, listStatement(list, filter, bounds), {
    ...filterParams(filter),
    limit: perPage + 1,
    cursor_at: after?.createdAt,
    cursor_id: after?.id,
    created_from: createdFrom,
    created_before: createdBefore,
  });
  const items = rows.slice(0, perPage);
  const last = items.at(-1);
  const nextCursor =
    last !== undefined && rows.length > items.length
      ? encodeCursor({ createdAt: last.cursor_at, id: last.cursor_id ?? last.id })
      : null;
  return { items, perPage, nextCursor };
}

/** The same page of something else. */
export function mapPage<From, To>(page: Page<From>, map: (item: From) => To): Page<To> {
  return { ...page, items: page.items.map(map) };
}
