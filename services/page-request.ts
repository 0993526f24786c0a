import type { PageRequest } from '../db/engine/page.ts';
import { decodeCursor } from '../domain/cursor.ts';
import { parseInstantOrDay, type TimeRange } from '../domain/iso-instant.ts';
import { Violations } from './refusal.ts';

export type { Page } from '../db/engine/page.ts';

const DEFAULT_PER_PAGE = 20;

/** The page that a caller requests, with texts as they were sent. */
export interface PageInput {
  readonly perPage?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The same for a list that can be limited to a time range. */
export interface DatedPageInput extends PageInput {
  /** An ISO 8601 instant or a calendar day in São Paulo; both bounds are inclusive. */
  readonly createdFrom?: string | undefined;
  readonly createdTo?: string | undefined;
}

/** Reads the input of a page. Refusal: a malformed `cursor`. */
export function pageRequest({ perPage = DEFAULT_PER_PAGE, cursor }: PageInput): PageRequest {
  const violations = new Violations();
  const after = readCursor(violations, cursor);
  violations.throwIfAny();
  return { perPage, after, createdFrom: null, createdBefore: null };
}

/** Reads the input of a page. Refusal: malformed `cursor`, `createdFrom` and `createdTo`, all of them together. */
export function datedPageRequest({ perPage = DEFAULT_PER_PAGE, ...input }: DatedPageInput): PageRequest {
  const violations = new Violations();
  const after = readCursor(violations, input.cursor);
  const from = timeRange(violations, 'createdFrom', input.createdFrom);
  const to = timeRange(violations, 'createdTo', input.createdTo);
  violations.throwIfAny();
  return {
    perPage,
    after,
    createdFrom: from?.fromUtc ?? null,
    createdBefore: to?.toExclusiveUtc ?? null,
  };
}

function readCursor(violations: Violations, text: string | undefined): PageRequest['after'] {
  const after = text === undefined ? null : decodeCursor(text);
  if (text !== undefined && after === null) {
    violations.add('cursor', 'Must be the {nextCursor} of an earlier page.');
  }
  return after;
}

function timeRange(violations: Violations, path: string, text: string | undefined): TimeRange | null {
  if (text === undefined) return null;
  const range = parseInstantOrDay(text);
  if (range === null) {
    violations.add(path, 'Must be an ISO 8601 instant with its offset, or a day as YYYY-MM-DD.');
  }
  return range;
}
