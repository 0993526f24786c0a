import type { MerchantScope } from '../../domain/scope.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { jsonArray, plainArray, textArray } from '../engine/array-text.ts';
import type { Queryable } from '../engine/database.ts';
import { attemptsJson } from './deliveries.ts';
import type { UnsentPlace } from './queue-contents.ts';
import { RELEASE, type Release, releaseParams } from './queues.ts';

/** A delivery after its first attempt, and where it was before. */
export interface FirstResult {
  readonly delivery: Delivery;
  readonly unsent: UnsentPlace;
}

const TAKEN = `unnest(cast(:row_ids as uuid[]), cast(:row_sent as integer[]), cast(:row_until as integer[])) t (id, sent, until)`;

/**
 * A row that another process has changed meanwhile, because the lease had ended, is not taken, and the results of its
 * deliveries are not written: the other process writes its own.
 */
const INSERT = `
  with emptied_rows as (
    delete from unsent_webhook_deliveries u using ${TAKEN}
     where {scope:u} and u.queue_id = :queue_id and u.id = t.id and u.sent = t.sent and u.total = t.until
    returning u.id, u.created_at),
  other_rows as (
    update unsent_webhook_deliveries u set sent = t.until from ${TAKEN}
     where {scope:u} and u.queue_id = :queue_id and u.id = t.id and u.sent = t.sent and u.total > t.until
    returning u.id, u.created_at),
  taken as (select id, created_at from emptied_rows union all select id, created_at from other_rows),
  moved as (
    insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, event_id, status, error_code,
      error_message, next_attempt_at, schedule_step, attempts, response_body, created_at)
    select :slot, :merchant_id, r.id, :queue_id, :queue_id, :url, r.event, r.event_id, r.status, r.error_code,
           r.error_message, r.next_attempt_at, r.step, cast(r.attempts as jsonb), r.response_body, taken.created_at
      from unnest(cast(:results_of as uuid[]), cast(:ids as uuid[]), cast(:events as text[]), cast(:event_ids as uuid[]),
             cast(:statuses as text[]), cast(:error_codes as text[]), cast(:error_messages as text[]),
             cast(:next_attempts as timestamptz[]), cast(:steps as integer[]), cast(:attempts as text[]),
             cast(:response_bodies as text[]))
             r (row_id, id, event, event_id, status, error_code, error_message, next_attempt_at, step, attempts, response_body)
      join taken on taken.id = r.row_id
    returning id)`;
const INSERT_ONLY = `${INSERT} select count(*) from moved`;
const INSERT_AND_RELEASE = `${INSERT}, ${RELEASE}`;

/**
 * Writes the rows of deliveries of an endpoint after their first attempts, and ends the lease on the queue if `release` is
 * given, in one statement. Of each row of unsent deliveries, `results` has the first ones.
 */
export async function insertFirstResults(
  q: Queryable,
  scope: MerchantScope,
  { queueId, results }: { readonly queueId: string; readonly results: readonly FirstResult[] },
  release?: Release,
): Promise<void> {
  const rows = [...Map.groupBy(results, ({ unsent }) => unsent.row).entries()];
  const deliveries = results.map(({ delivery }) => delivery);
  await q.execute(scope, release === undefined ? INSERT_ONLY : INSERT_AND_RELEASE, {
    ...(release === undefined ? {} : releaseParams(release)),
    queue_id: queueId,
    url: deliveries[0]!.url,
    row_ids: rows.map(([{ id }]) => id),
    row_sent: rows.map(([{ sent }]) => sent),
    row_until: rows.map(([{ sent }, ofRow]) => sent + ofRow.length),
    results_of: plainArray(results.map(({ unsent }) => unsent.row.id)),
    ids: plainArray(deliveries.map(({ id }) => id)),
    events: plainArray(deliveries.map(({ event }) => event)),
    event_ids: plainArray(deliveries.map(({ eventId }) => eventId!)),
    statuses: plainArray(deliveries.map(({ status }) => status)),
    error_codes: textArray(deliveries.map(({ error }) => error?.code ?? null)),
    error_messages: textArray(deliveries.map(({ error }) => error?.message ?? null)),
    next_attempts: textArray(deliveries.map(({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? null)),
    steps: plainArray(deliveries.map(({ scheduleStep }) => scheduleStep)),
    attempts: jsonArray(deliveries.map(({ attempts }) => attemptsJson(attempts))),
    response_bodies: textArray(deliveries.map(({ responseBody }) => responseBody)),
  });
}
