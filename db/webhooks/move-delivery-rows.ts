import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Delivery, DeliveryError, DeliveryStatus } from '../../domain/webhooks/delivery.ts';
import type { Queryable } from '../engine/database.ts';
import { attemptsJson } from './deliveries.ts';
import { RELEASE, type Release, releaseParams } from './queues.ts';

/** Moves of deliveries, and the deliveries after them. */
export interface DeliveryRowMoves {
  readonly from: readonly DeliveryStatus[];
  readonly moved: readonly {
    /** As it was read. A row that is different now, because another process has moved it, is not changed. */
    readonly read: Pick<Delivery, 'scheduleStep' | 'nextAttemptAt' | 'attempts'>;
    readonly delivery: Delivery;
  }[];
}

const AS_READ = '(d.schedule_step = m.read_step and d.next_attempt_at is not distinct from m.read_due)';
/** The merchant has requested the delivery again, and no attempt was written since it was read. */
const REDELIVERED = `(d.schedule_step = 0 and d.next_attempt_at is distinct from m.read_due
         and jsonb_array_length(d.attempts) = m.read_attempts)`;

/**
 * If a delivery was requested again meanwhile, the attempt is added and the delivery stays pending. One statement
 * covers both cases (`AS_READ`, `REDELIVERED`), so that it also sees a request that commits at the same time.
 */
const MOVE = `
  update webhook_deliveries d
     set status = case when ${AS_READ} then m.status else d.status end,
         next_attempt_at = case when ${AS_READ} then m.next_attempt_at else d.next_attempt_at end,
         schedule_step = case when ${AS_READ} then m.step else d.schedule_step end,
         url = m.url, error_code = m.error_code, error_message = m.error_message, attempts = cast(m.attempts as jsonb),
         response_body = m.response_body
    from unnest(cast(:ids as uuid[]), cast(:read_steps as integer[]), cast(:read_dues as timestamptz[]),
           cast(:read_attempts as integer[]), cast(:statuses as text[]), cast(:urls as text[]),
           cast(:error_codes as text[]), cast(:error_messages as text[]), cast(:next_attempts as timestamptz[]),
           cast(:steps as integer[]), cast(:attempts as text[]), cast(:response_bodies as text[]))
           m (id, read_step, read_due, read_attempts, status, url, error_code, error_message, next_attempt_at, step,
             attempts, response_body)
   where {scope:d} and d.id = m.id and d.status = any(:from) and (${AS_READ} or ${REDELIVERED})`;
const MOVE_AND_RELEASE = `with moved as (${MOVE} returning d.id), ${RELEASE}`;

/** Writes moves of deliveries, and ends the lease on their queue if `release` is given, in one statement. */
export async function moveDeliveryRows(
  q: Queryable,
  scope: MerchantScope,
  { from, moved }: DeliveryRowMoves,
  release?: Release,
): Promise<void> {
  const deliveries = moved.map(({ delivery }) => delivery);
  await q.execute(scope, release === undefined ? MOVE : MOVE_AND_RELEASE, {
    ...(release === undefined ? {} : releaseParams(release)),
    from,
    ids: deliveries.map(({ id }) => id),
    read_steps: moved.map(({ read }) => read.scheduleStep),
    read_dues: moved.map(({ read }) => read.nextAttemptAt),
    read_attempts: moved.map(({ read }) => read.attempts.length),
    statuses: deliveries.map(({ status }) => status),
    urls: deliveries.map(({ url }) => url),
    error_codes: deliveries.map(({ error }) => error?.code ?? null),
    error_messages: deliveries.map(({ error }) => error?.message ?? null),
    next_attempts: deliveries.map(({ nextAttemptAt }) => nextAttemptAt),
    steps: deliveries.map(({ scheduleStep }) => scheduleStep),
    attempts: deliveries.map(({ attempts }) => attemptsJson(attempts)),
    response_bodies: deliveries.map(({ responseBody }) => responseBody),
  });
}

/** Fails up to `limit` pending deliveries of a queue whose destination no longer accepts any. Returns how many. */
export async function dropDeliveryRows(
  q: Queryable,
  scope: MerchantScope,
  queueId: string,
  {
    from,
    to,
    error,
    limit,
  }: RowMove<DeliveryStatus> & { readonly error: DeliveryError; readonly limit: number },
): Promise<number> {
  return q.execute(
    scope,
    `update webhook_deliveries set status = :to, next_attempt_at = null, error_code = :code, error_message = :message
      where {scope} and id in (
        select id from webhook_deliveries where {scope} and queue_id = :queue_id and status = any(:from) limit :limit)`,
    { queue_id: queueId, from, to, limit, ...error },
  );
}
