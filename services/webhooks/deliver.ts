import { setTimeout as pause } from 'node:timers/promises';
import { type StoredEndpoint, setFailures } from '../../db/webhooks/endpoints.ts';
import {
  type PendingDelivery,
  type QueueContents,
  type QueueSettings,
  readQueue,
} from '../../db/webhooks/queue-contents.ts';
import type { LeasedQueue } from '../../db/webhooks/queues.ts';
import { earliest } from '../../domain/instants.ts';
import type { DeliveryError } from '../../domain/webhooks/delivery.ts';
import { DISABLE_AFTER_MS, failingSinceAt } from '../../domain/webhooks/endpoint.ts';
import { NO_FAULTS } from '../../domain/webhooks/faults.ts';
import { nextBatch } from '../../domain/webhooks/next-batch.ts';
import { nextAttemptAt, queuePause_ms, RETRIES_MS } from '../../domain/webhooks/retry-schedule.ts';
import type { Deps } from '../deps.ts';
import { BATCH_PER_CALL, type CallLimit, type LimitedRun, runLimited } from './call-limit.ts';
import { queueSecrets } from './endpoint-secrets.ts';
import type { EventBodies } from './event-bodies.ts';
import { DROPPED, signingSecretsWithFaults } from './faulty-calls.ts';
import { type DeliveryChange, dropDeliveries, writeResults } from './move-delivery.ts';
import { moveEndpoint } from './move-endpoint.ts';
import { TIMEOUT_MS } from './outgoing-calls.ts';
import { changeAfter, type Destination, type EndedAttempt, sendDelivery } from './send-delivery.ts';
import { signingKeys } from './signature.ts';

/**
 * After this time, no attempt begins, except the second one of a reversed pair, and a queue that has more to send is
 * released, so that the others have their turn.
 */
const RUN_MS = 10_000;
/** Calls that follow each other and may end after this time: those of a reversed pair. */
const LAST_CALLS = 2;
/** The time for the statements of a run. */
const STATEMENTS_MS = 15_000;
/** Pauses before the results are written again after an error. All statements have `STATEMENTS_MS`. */
const WRITE_RETRIES_MS = [100, 1_000, 4_000];
/** How long a lease on a queue lasts. It is longer than a run, with its last batch, can take. */
export const QUEUE_LEASE_MS = RUN_MS + LAST_CALLS * TIMEOUT_MS + STATEMENTS_MS;
/** Deliveries in a batch: fewer at first, more while all of them succeed. */
const FIRST_BATCH = 16;
const BATCH_GROWTH = 16;
/** Pending deliveries that a batch of this size reads: one more than it sends, to know when the next one is due. */
const readSize = (batch: number) => batch + 1;
/** Pending deliveries that are read before a run. */
export const FIRST_READ = readSize(FIRST_BATCH);

const DISABLED: DeliveryError = { code: 'endpoint_disabled', message: 'The endpoint is disabled.' };
const DELETED: DeliveryError = { code: 'endpoint_deleted', message: 'The endpoint was deleted.' };

export interface QueueRun {
  /** The queue as it was read under the lease, with up to `FIRST_READ` deliveries. */
  readonly contents: QueueContents;
  readonly bodies: EventBodies;
  /** Of the queue, as its last run left it. */
  readonly calls: CallLimit;
  /** The maximum of deliveries that are sent at the same time. */
  readonly maxCalls: number;
  /** Checked before each attempt. If true, another run sends the rest. */
  readonly isStopped: () => boolean;
}

export interface QueueResult {
  /** Whether a delivery of the last batch succeeded, or none failed. */
  readonly isHealthy: boolean;
  /** How long the last batch took. */
  readonly batch_ms: number;
  /** Whether the queue is due again. */
  readonly hasMore: boolean;
}

/**
 * Sends what is due in a queue on which this process has a lease, in batches, until nothing is due, a batch has
 * failures and no success, or the time of a run has passed. Then ends the lease.
 */
export async function runQueue(deps: Deps, queue: LeasedQueue, run: QueueRun): Promise<QueueResult> {
  const maxBatch = run.maxCalls * BATCH_PER_CALL;
  const started = performance.now();
  const isOver = () => run.isStopped() || performance.now() - started > RUN_MS;
  const { bodies, calls } = run;
  calls.open(run.maxCalls);
  let { contents } = run;
  let size = Math.min(Math.max(FIRST_BATCH, calls.now * BATCH_PER_CALL), maxBatch);
  if (size > FIRST_BATCH && contents.pending.length === FIRST_READ)
    contents = await readQueue(deps.db, queue, readSize(size));
  for (;;) {
    const batchStarted = performance.now();
    const { changes, nextDueAt } = await sendBatch(deps, queue, contents, { bodies, calls, size, isOver });
    const batch_ms = performance.now() - batchStarted;
    const succeeded = changes.filter(({ move }) => move === 'succeed').length;
    const isHealthy = succeeded > 0 || !changes.some(isFailure);
    const hasMore = nextDueAt !== null && nextDueAt <= deps.wall();
    const { settings } = contents;
    const isLast = !hasMore || !isHealthy || isOver();
    const dueAt = isHealthy ? nextDueAt : afterPause(nextDueAt, settings, deps.wall());
    await withRetries(async () => {
      await noteHealth(deps, queue, settings.endpoint, { changes, nextDueAt });
      await writeResults(deps.db, queue, changes, isLast ? { queue, nextDueAt: dueAt } : undefined);
    });
    if (isLast) return { isHealthy, batch_ms, hasMore: hasMore && isHealthy };
    size = succeeded === changes.length ? Math.min(size * BATCH_GROWTH, maxBatch) : size;
    // The settings are read again too, so that a change of the endpoint applies from the next batch on.
    contents = await readQueue(deps.db, queue, readSize(size));
  }
}

/**
 * Runs statements again after an error, because what is not recorded is sent again. They must have no effect the second
 * time.
 */
async function withRetries(write: () => Promise<void>): Promise<void> {
  for (const pause_ms of WRITE_RETRIES_MS) {
    try {
      return await write();
    } catch {
      await pause(pause_ms);
    }
  }
  await write();
}

/** Ends the lease of a run that threw an error. The queue is due again after the first pause of the schedule. */
export async function endFailedRun(deps: Deps, queue: LeasedQueue): Promise<void> {
  await writeResults(deps.db, queue, [], { queue, nextDueAt: nextAttemptAt(1, deps.wall()) });
}

/**
 * When a queue is due after a failed run, if its next delivery is due at `nextDueAt`: not before its pause has passed.
 * New events do not end the pause (`wakeQueues`), but what a merchant requests does.
 */
function afterPause(nextDueAt: Date | null, { retries_ms }: QueueSettings, wall: Date) {
  if (nextDueAt === null) return null;
  const pauseEnd_ms = wall.getTime() + queuePause_ms(retries_ms ?? RETRIES_MS);
  return new Date(Math.max(nextDueAt.getTime(), pauseEnd_ms));
}

interface Batch {
  readonly changes: readonly DeliveryChange[];
  /** When the next delivery is due; null: none is pending. */
  readonly nextDueAt: Date | null;
}

interface BatchLimits extends Pick<QueueRun, 'bodies'> {
  readonly calls: CallLimit;
  /** The maximum of deliveries. */
  readonly size: number;
  /** Checked before each attempt. If true, the rest is not sent. */
  readonly isOver: () => boolean;
}

/** Sends the next deliveries of the queue that are due. Their results are not written yet. */
async function sendBatch(
  deps: Deps,
  queue: LeasedQueue,
  { settings, pending }: QueueContents,
  limits: BatchLimits,
): Promise<Batch> {
  const { endpoint, retries_ms } = settings;
  if (endpoint?.status === 'disabled' || (endpoint === undefined && pending[0]?.endpointId)) {
    const isDropped = await dropDeliveries(deps.db, queue, endpoint === undefined ? DELETED : DISABLED);
    return { changes: [], nextDueAt: isDropped ? null : deps.wall() };
  }
  const wall = deps.wall();
  const faults = endpoint?.faults ?? NO_FAULTS;
  const { due, nextDueAt } = nextBatch(pending, { size: limits.size, wall, faults });
  const secrets = await queueSecrets(deps, queue, settings, wall);
  const url = endpoint?.url ?? null;
  const keys = secrets && signingKeys(signingSecretsWithFaults(deps, faults, secrets));
  const destination = { url, keys, retries_ms: retries_ms ?? RETRIES_MS, faults };
  const changes = await sendAll(deps, { queue, due, destination, limits });
  const retriedAt = changes.map(({ patch }) => patch.nextAttemptAt ?? null);
  const notSent = due.slice(changes.length).map(({ nextAttemptAt }) => nextAttemptAt);
  return { changes, nextDueAt: earliest([nextDueAt, ...notSent, ...retriedAt]) };
}

interface DueBatch {
  readonly queue: LeasedQueue;
  readonly due: readonly PendingDelivery[];
  readonly destination: Destination;
  readonly limits: BatchLimits;
}

/**
 * Sends deliveries in their order, each when a call of the limit is free. Begins none after one has failed. If their
 * order matters, sends all, one by one. Returns the results of those that were sent, which are the first ones.
 */
async function sendAll(
  deps: Deps,
  { queue, due, destination, limits: { bodies, calls, isOver } }: DueBatch,
): Promise<readonly DeliveryChange[]> {
  const eventIds = [...new Set(due.map(({ eventId }) => eventId).filter((id) => id !== null))];
  const bodyOf = await bodies.of(queue, eventIds);
  const changes: DeliveryChange[] = [];
  let hasFailed = false;
  const { reorder } = destination.faults;
  const run: LimitedRun<EndedAttempt> = {
    begin(place, ended) {
      const delivery = due[place]!;
      const eventBody = delivery.eventId === null ? undefined : bodyOf.get(delivery.eventId);
      sendDelivery(deps, { delivery, eventBody }, destination, ended);
    },
    end(place, attempt) {
      const change = changeAfter(deps, due[place]!, attempt, destination);
      changes[place] = change;
      if (change.move === 'succeed') calls.succeeded();
      else if (isFailure(change)) hasFailed = true;
    },
  };
  calls.begin(reorder ? 1 : due.length);
  await runLimited(due.length, run, {
    limit: () => (reorder ? 1 : calls.now),
    isOver: () => !reorder && (hasFailed || isOver()),
  });
  calls.pause();
  return changes;
}

/** Whether an attempt says that its receiver fails. One that a fault has dropped does not. */
function isFailure({ move, patch }: DeliveryChange): boolean {
  return move !== 'succeed' && patch.error?.code !== DROPPED.code;
}

/**
 * Records since when an endpoint fails, and disables one that has failed for too long. Writes only changes. The time
 * without a pending delivery does not count, because nothing is tried then.
 */
async function noteHealth(
  deps: Deps,
  queue: LeasedQueue,
  endpoint: StoredEndpoint | undefined,
  { changes, nextDueAt }: Batch,
): Promise<void> {
  const lastFailure = changes.findLast(isFailure);
  const hasSucceeded = changes.some(({ move }) => move === 'succeed');
  if (endpoint === undefined || (lastFailure === undefined && !hasSucceeded)) return;
  const { id } = endpoint;
  const at = deps.wall();
  const failingSince = hasSucceeded ? null : failingSinceAt(endpoint, at);
  if (failingSince !== null && at.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS) {
    const disabledReason = `Every delivery failed for 5 days. The last error: ${lastFailure!.patch.error!.message}`;
    const giveUp = { id, move: 'give_up', by: 'clock', disabledReason, at } as const;
    if (!(await moveEndpoint(deps.db, queue, { ...giveUp, failingSince: endpoint.failingSince! }))) return;
    deps.log.warn({ merchant_id: queue.merchantId, endpoint_id: id }, 'webhook endpoint disabled');
    return;
  }
  const idleSince = !hasSucceeded && nextDueAt === null ? at : null;
  if (failingSince !== endpoint.failingSince || idleSince !== endpoint.idleSince)
    await setFailures(deps.db, queue, endpoint, { failingSince, idleSince });
}
