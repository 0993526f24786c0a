import { setTimeout as pause } from 'node:timers/promises';
import { findPosition, lastPositioned, readFeed as readFeedRows } from '../../db/events/feed.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { invalid } from '../refusal.ts';

const DEFAULT_PER_PAGE = 20;
const POLL_MS = 500;

export interface FeedInput {
  /** The id of an event; empty: before the oldest. */
  readonly after: string;
  /** If given, only the events of this object. */
  readonly objectId?: string | undefined;
  readonly perPage?: number | undefined;
  /** How long to wait for the first event, in wall time. */
  readonly wait_ms: number;
  /** Ends the wait. */
  readonly disconnected: AbortSignal;
}

export interface FeedPage {
  readonly items: readonly EventRecord[];
  readonly perPage: number;
  readonly hasMore: boolean;
  /** What to send as `after` next; null: there was no event yet. */
  readonly nextAfter: string | null;
}

/**
 * Events of the merchant after one that it has read, oldest first. An event gets its position after the transaction
 * that wrote it has committed, and the positions of a merchant are given one transaction at a time. So when a reader
 * sees a position, no event can appear before it later. Refusals: `after`; `too_many_waits`.
 */
export async function readFeed(deps: Deps, merchant: Merchant, input: FeedInput): Promise<FeedPage> {
  const { wait_ms } = input;
  let page = await readOnce(deps, merchant, input);
  if (page.items.length > 0 || wait_ms === 0) return page;
  const end = performance.now() + wait_ms;
  await deps.longPolls.run(merchant.merchantId, async (stopping) => {
    const signal = AbortSignal.any([stopping, input.disconnected]);
    while (page.items.length === 0 && !signal.aborted) {
      const left_ms = end - performance.now();
      if (left_ms <= 0) return;
      // The request does nothing while it waits, so admission control lets another one run.
      const waited = pause(Math.min(POLL_MS, left_ms), undefined, { signal }).catch(() => {});
      await deps.upstreamCalls.track(merchant.merchantId, waited);
      page = await readOnce(deps, merchant, input);
    }
  });
  return page;
}

/**
 * The event after which a reader that wants only new events begins; null before the first event. The newest event of
 * the list cannot be used: an earlier event without a position may get one before it, and the reader would miss it.
 */
export function endOfFeed({ db }: Pick<Deps, 'db'>, merchant: Merchant): Promise<string | null> {
  return lastPositioned(db, merchant);
}

async function readOnce(
  deps: Deps,
  merchant: Merchant,
  { after, objectId, perPage = DEFAULT_PER_PAGE }: Pick<FeedInput, 'after' | 'objectId' | 'perPage'>,
): Promise<FeedPage> {
  const afterPosition = await positionOf(deps, merchant, after);
  // An event that was written just now has no position, and none can follow it.
  const found =
    afterPosition === null
      ? []
      : await readFeedRows(deps.db, merchant, { afterPosition, objectId, limit: perPage + 1 });
  const items = found.slice(0, perPage);
  const nextAfter = items.at(-1)?.id ?? (after === '' ? null : after);
  return { items, perPage, hasMore: found.length > items.length, nextAfter };
}

async function positionOf(deps: Deps, merchant: Merchant, after: string): Promise<number | null> {
  if (after === '') return 0;
  const position = isCanonicalUuid(after)
    ? await findPosition(deps.db, merchant, normalizeUuid(after))
    : undefined;
  if (position === undefined) throw invalid({ after: 'There is no event with this id.' });
  return position;
}
