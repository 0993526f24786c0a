import { listEvents as listEventRecords } from '../../services/events/list-events.ts';
import { endOfFeed, readFeed } from '../../services/events/read-feed.ts';
import type { Call, Handler } from '../http/handler.ts';
import { invalidRequest } from '../http/refusal.ts';
import { pageAnswer, pageInput } from '../page-answer.ts';
import { eventAnswer } from './event-answer.ts';

export const listEvents: Handler<'listEvents'> = async (call) => {
  const { deps, merchant, query } = call;
  if (query.after !== undefined) return eventsAfter(call, query.after);
  if (query.wait !== undefined) throw invalidRequest({ wait: 'Requires `after`.' });
  // Before the list, so that a reader who continues there misses none that the list does not have.
  const next_after = query.cursor === undefined ? await endOfFeed(deps, merchant) : null;
  const page = await listEventRecords(deps, merchant, {
    page: pageInput(query),
    event: query.event,
    paymentId: query.payment_id,
    objectId: query.object_id,
  });
  const { data, pagination } = pageAnswer(page, (event) => eventAnswer(event, deps.environment));
  return { status: 200, body: { data, pagination: { ...pagination, next_after } } };
};

/** Parameters of the list that is newest first. */
const LIST_ONLY = ['cursor', 'event', 'payment_id', 'created_from', 'created_to'] as const;

async function eventsAfter({ deps, merchant, query, disconnected }: Call<'listEvents'>, after: string) {
  const others = LIST_ONLY.filter((name) => query[name] !== undefined);
  if (others.length > 0) {
    throw invalidRequest(Object.fromEntries(others.map((name) => [name, 'Cannot be used with `after`.'])));
  }
  const wait_ms = (query.wait ?? 0) * 1_000;
  const { per_page: perPage, object_id: objectId } = query;
  const page = await readFeed(deps, merchant, { after, objectId, perPage, wait_ms, disconnected });
  return {
    status: 200 as const,
    body: {
      data: page.items.map((event) => eventAnswer(event, deps.environment)),
      pagination: {
        per_page: page.perPage,
        has_more: page.hasMore,
        next_cursor: null,
        next_after: page.nextAfter,
      },
    },
  };
}
