import { createHash } from 'node:crypto';
import type { Tx } from '../../db/engine/database.ts';
import { listOutbox, lockFeed, type OutboxEvent, positionEvents } from '../../db/events/outbox.ts';
import { insertDeliveries, type NewDelivery } from '../../db/webhooks/deliveries.ts';
import { listActiveEndpoints } from '../../db/webhooks/endpoints.ts';
import { wakeQueues } from '../../db/webhooks/queues.ts';
import { insertUnsent, type UnsentDeliveries } from '../../db/webhooks/unsent-deliveries.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { wantsEvent } from '../../domain/webhooks/endpoint.ts';
import { nextAttemptAt } from '../../domain/webhooks/retry-schedule.ts';
import type { Deps } from '../deps.ts';

/** The maximum of events in one transaction. With 20 endpoints they create 4,000 deliveries. */
const BATCH = 200;

const NONE = { events: 0, deliveries: 0 };

/** A delivery without its id. */
type Target = Omit<NewDelivery, 'id'>;

/**
 * Creates the deliveries of a merchant's new events, and assigns the events their positions in the feed. One process at
 * a time does this for a merchant, so that positions are assigned in the order in which they become visible. Returns
 * how many events and deliveries there were, none while another process does this.
 */
export async function fanOut(
  deps: Deps,
  scope: MerchantScope,
): Promise<{ readonly events: number; readonly deliveries: number }> {
  return deps.db.transaction(scope, async (tx) => {
    const lastPosition = await lockFeed(tx, scope);
    if (lastPosition === undefined) return NONE;
    const events = await listOutbox(tx, scope, BATCH);
    if (events.length === 0) return NONE;
    const at = deps.wall();
    const newId = () => uuidV7(at.getTime(), deps.random);
    // Sent together.
    const [endpoints, notifications] = await Promise.all([
      listActiveEndpoints(tx, scope),
      notificationTargets(deps, tx, scope, events),
    ]);
    const { unsent, targets } = endpointTargets(endpoints, { events, newId });
    targets.push(...notifications);
    await insertUnsent(tx, scope, unsent, at);
    await insertDeliveries(
      tx,
      scope,
      targets.map((target) => ({ ...target, id: newId() })),
      at,
    );
    const queueIds = [
      ...unsent.map(({ endpointId }) => endpointId),
      ...targets.map(({ queueId }) => queueId),
    ];
    const failing = endpoints.filter(({ isFailing }) => isFailing).map(({ id }) => id);
    // New deliveries do not end the pause of an endpoint after a failed run: it would be called for each event.
    await wakeQueues(tx, scope, queueIds, at, { ids: failing, pauseEnd: nextAttemptAt(1, at)! });
    await positionEvents(tx, scope, { lastPosition, eventIds: events.map(({ id }) => id), at });
    const count = unsent.reduce((sum, { deliveries }) => sum + deliveries.length, targets.length);
    return { events: events.length, deliveries: count };
  });
}

/**
 * Every active endpoint that has subscribed to an event: one row for each that is healthy, and one for each other
 * delivery.
 */
function endpointTargets(
  endpoints: Awaited<ReturnType<typeof listActiveEndpoints>>,
  { events, newId }: { readonly events: readonly OutboxEvent[]; readonly newId: () => string },
): { readonly unsent: readonly UnsentDeliveries[]; readonly targets: Target[] } {
  const unsent: UnsentDeliveries[] = [];
  const targets: Target[] = [];
  for (const endpoint of endpoints) {
    const { id, url, isHealthy } = endpoint;
    const wanted = events.filter(({ event }) => wantsEvent(endpoint, event));
    if (isHealthy && wanted.length > 0) {
      const deliveries = wanted.map(({ id: eventId, event }) => ({ id: newId(), eventId, event }));
      unsent.push({ id: newId(), endpointId: id, url, deliveries });
    } else {
      for (const { id: eventId, event } of wanted)
        targets.push({ queueId: id, endpointId: id, url, event, eventId });
    }
  }
  return { unsent, targets };
}

/**
 * The notification URLs of the order, subscription and link that an event belongs to (contract row 9.6). An URL that
 * several of them have gets the event once.
 */
async function notificationTargets(
  { notificationUrls }: Pick<Deps, 'notificationUrls'>,
  tx: Tx,
  scope: MerchantScope,
  events: readonly OutboxEvent[],
): Promise<Target[]> {
  const found = await Promise.all(
    notificationUrls.map(async ({ objectType, find }) => {
      const own = events.filter((event) => event.objectType === objectType);
      const ids = [...new Set(own.map(({ objectId }) => objectId))];
      return { own, urls: ids.length === 0 ? new Map<string, string>() : await find(tx, scope, ids) };
    }),
  );
  const targets = new Map<string, Target>();
  for (const { own, urls } of found) {
    for (const { id, event, objectId } of own) {
      const url = urls.get(objectId);
      if (url === undefined) continue;
      targets.set(`${id} ${url}`, { queueId: queueOfUrl(url), endpointId: null, url, event, eventId: id });
    }
  }
  return [...targets.values()];
}

/** All URLs of one host and port share a queue, so that a slow host has only one. Returns a UUID (version 8). */
function queueOfUrl(url: string): string {
  const hash = createHash('sha256').update(new URL(url).origin).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
