import { listPendingDeliveries } from '../../db/webhooks/deliveries.ts';
import { findQueueSettings, type StoredEndpoint, setFailingSince } from '../../db/webhooks/endpoints.ts';
import { type LeasedQueue, releaseQueue } from '../../db/webhooks/queues.ts';
import type { DeliveryError } from '../../domain/webhooks/delivery.ts';
import { DISABLE_AFTER_MS } from '../../domain/webhooks/endpoint.ts';
import { RETRIES_MS } from '../../domain/webhooks/retry-schedule.ts';
import type { Deps } from '../deps.ts';
import { queueSecrets } from './endpoint-secrets.ts';
import { type DeliveryChange, dropDeliveries, moveDeliveries } from './move-delivery.ts';
import { moveEndpoint } from './move-endpoint.ts';
import { sendDelivery } from './send-delivery.ts';

/** How long a lease on a queue lasts: longer than the last batch that is begun under it may take. */
export const QUEUE_LEASE_MS = 30_000;
/** A queue that has more to send after this is released, and leased again in its turn. */
const RUN_MS = 10_000;
/** Deliveries of a batch: a few for a receiver of which nothing is known, more while it answers well. */
const FIRST_BATCH = 4;
const BATCH_GROWTH = 4;
const DROPPED_AT_ONCE = 1_000;

const DISABLED: DeliveryError = { code: 'endpoint_disabled', message: 'The endpoint is disabled.' };
const DELETED: DeliveryError = { code: 'endpoint_deleted', message: 'The endpoint was deleted.' };

export interface QueueRun {
  /** Most deliveries that may be under way at once. */
  readonly maxBatch: number;
  /** Asked before each batch: whether to leave the rest to another run. */
  readonly isStopped: () => boolean;
}

/**
 * Sends what is due in a queue on which this process has a lease, batch by batch, until nothing is due, no delivery of a batch
 * succeeded, or the run has taken long enough. Then ends the lease. Returns whether the receiver answered well.
 */
export async function runQueue(
  deps: Deps,
  queue: LeasedQueue,
  { maxBatch, isStopped }: QueueRun,
): Promise<boolean> {
  const started = performance.now();
  let size = Math.min(FIRST_BATCH, maxBatch);
  for (;;) {
    const { changes, nextDueAt } = await sendBatch(deps, queue, size);
    const succeeded = changes.filter(({ move }) => move === 'succeed').length;
    const isHealthy = succeeded > 0 || changes.length === 0;
    const hasMore = nextDueAt !== null && nextDueAt <= deps.wall();
    if (!hasMore || !isHealthy || isStopped() || performance.now() - started > RUN_MS) {
      await releaseQueue(deps.db, queue, nextDueAt);
      return isHealthy;
    }
    size = succeeded === changes.length ? Math.min(size * BATCH_GROWTH, maxBatch) : size;
  }
}

interface Batch {
  readonly changes: readonly DeliveryChange[];
  /** When the next delivery is due; null: none is pending. */
  readonly nextDueAt: Date | null;
}

/** Sends the next deliveries of the queue that are due, and writes their results. */
async function sendBatch(deps: Deps, queue: LeasedQueue, size: number): Promise<Batch> {
  const { queueId } = queue;
  // Read for each batch, so that a change of the endpoint holds from the next batch on. One delivery more than is sent tells
  // when the next one is due.
  const [settings, pending] = await Promise.all([
    findQueueSettings(deps.db, queue, queueId),
    listPendingDeliveries(deps.db, queue, { queueId, limit: size + 1 }),
  ]);
  const { endpoint, retries_ms } = settings;
  if (endpoint?.status === 'disabled' || (endpoint === undefined && pending[0]?.delivery.endpointId)) {
    await dropAll(deps, queue, endpoint);
    return { changes: [], nextDueAt: null };
  }
  const wall = deps.wall();
  const due = pending.slice(0, size).filter(({ delivery }) => delivery.nextAttemptAt! <= wall);
  const secrets = await queueSecrets(deps, queue, settings, wall);
  const destination = { url: endpoint?.url ?? null, secrets, retries_ms: retries_ms ?? RETRIES_MS };
  const changes = await Promise.all(due.map((one) => sendDelivery(deps, one, destination)));
  await moveDeliveries(deps.db, queue, changes, 'clock');
  if (endpoint !== undefined && changes.length > 0) await noteHealth(deps, queue, endpoint, changes);
  const rest = pending.slice(due.length).map(({ delivery }) => delivery.nextAttemptAt);
  return {
    changes,
    nextDueAt: earliest([...rest, ...changes.map(({ patch }) => patch.nextAttemptAt ?? null)]),
  };
}

function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.filter((instant) => instant !== null).map((instant) => instant.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Fails what is pending for an endpoint that takes nothing any more. */
async function dropAll(deps: Deps, queue: LeasedQueue, endpoint: StoredEndpoint | undefined): Promise<void> {
  const error = endpoint === undefined ? DELETED : DISABLED;
  let dropped: number;
  do {
    dropped = await dropDeliveries(deps.db, queue, queue.queueId, { error, limit: DROPPED_AT_ONCE });
  } while (dropped === DROPPED_AT_ONCE);
}

/** Notes since when an endpoint fails, and disables one that has failed for too long. Writes only what changes. */
async function noteHealth(
  deps: Deps,
  queue: LeasedQueue,
  { id, failingSince }: StoredEndpoint,
  changes: readonly DeliveryChange[],
): Promise<void> {
  if (changes.some(({ move }) => move === 'succeed')) {
    if (failingSince !== null) await setFailingSince(deps.db, queue, id, null);
    return;
  }
  const at = deps.wall();
  if (failingSince === null) await setFailingSince(deps.db, queue, id, at);
  else if (at.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS) {
    const last = changes.at(-1)!.patch.error?.message ?? '';
    const disabledReason = `Every delivery failed for 5 days. The last error: ${last}`;
    await moveEndpoint(deps.db, queue, { id, move: 'give_up', by: 'clock', disabledReason, at });
    deps.log.warn({ merchant_id: queue.merchantId, endpoint_id: id }, 'webhook endpoint disabled');
  }
}
