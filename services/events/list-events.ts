import { type EventFilter, findEvent, listEvents as listEventRows } from '../../db/events/events.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';
import { notFound } from '../refusal.ts';

export type { EventRecord };

/** Events of the merchant, newest first. Refusals: as `datedPageRequest`. */
export async function listEvents(
  deps: Deps,
  merchant: Merchant,
  input: EventFilter & { readonly page: DatedPageInput },
): Promise<Page<EventRecord>> {
  const { page, ...filter } = input;
  return listEventRows(deps.db, merchant, filter, datedPageRequest(page));
}

/** An event by its id. Refusal: `not_found`. */
export async function getEvent(deps: Deps, merchant: Merchant, id: string): Promise<EventRecord> {
  const event = isCanonicalUuid(id) ? await findEvent(deps.db, merchant, normalizeUuid(id)) : undefined;
  if (event === undefined) throw notFound('Event');
  return event;
}
