import type { DatedPageInput, Page } from '../services/page-request.ts';

interface PageQuery {
  readonly per_page?: number | undefined;
  readonly cursor?: string | undefined;
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
}

/** The query parameters that all lists have. */
export function pageInput(query: PageQuery): DatedPageInput {
  return {
    perPage: query.per_page,
    cursor: query.cursor,
    createdFrom: query.created_from,
    createdTo: query.created_to,
  };
}

/** A page of a list as in the contract (row 1.11). */
export function pageAnswer<Item, Wire>(page: Page<Item>, render: (item: Item) => Wire) {
  return {
    data: page.items.map(render),
    pagination: {
      per_page: page.perPage,
      has_more: page.nextCursor !== null,
      next_cursor: page.nextCursor,
    },
  };
}
