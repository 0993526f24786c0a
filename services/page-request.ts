import type { PageRequest } from '../db/engine/page.ts';
import { decodeCursor } from '../domain/cursor.ts';
import { parseInstantOrDay, type TimeRange } from '../domain/iso-instant.ts';
import { Violations } from './refusal.ts';

export type { Page } from '../db/engine/page.ts';

const DEFAULT_PER_PAGE = 20;

/** What a caller may say about the page that it wants; texts as they came. */
export interface PageInput {
  readonly perPage?: number | undefined;
  readonly cursor?: string | undefined;
  /** An ISO 8601 instant or a merchant's day; both ends belong to the range. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
}

/** Reads them. Refusal (422) on `cursor`, `created_from` and `created_to`, all that are malformed together. */
export function pageRequest(input: PageInput): PageRequest {
  const violations = new Violations();
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor);
  if (input.cursor !== undefined && after === null) {
    violations.add('cursor', 'Must be the next_cursor of an earlier page.');
  }
  const from = timeRange(violations, 'created_from', input.createdFrom);
  const to = timeRange(violations, 'created_to', input.createdTo);
  violations.throwIfAny();
  return {
    perPage: input.perPage ?? DEFAULT_PER_PAGE,
    after,
    createdFrom: from?.fromUtc ?? null,
    createdBefore: to?.toExclusiveUtc ?? null,
  };
}

function timeRange(violations: Violations, path: string, text: string | undefined): TimeRange | null {
  if (text === undefined) return null;
  const range = parseInstantOrDay(text);
  if (range === null) {
    violations.add(path, 'Must be an ISO 8601 instant with its offset, or a day as YYYY-MM-DD.');
  }
  return range;
}
