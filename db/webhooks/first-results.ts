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

/** Rows of unsent deliveries, which of them have results, and the place of the first result of each. */
const TAKEN = `unnest(cast(:row_ids as uuid[]), cast(:row_sent as integer[]), cast(:row_until as integer[]),
    cast(:firsts as integer[])) t (id, sent, until, first)`;
const RETURNING =
  'returning t.first, t.sent, t.until, u.id, u.created_at, u.delivery_ids, u.event_ids, u.events';

/** The part of a parameter, an array of results, that has those of one row. */
const resultsOf = (parameter: string, type: string) =>
  `(cast(:${parameter} as ${type}[]))[taken.first : taken.first + taken.until - taken.sent - 1]`;
/** The part of a list of the row that has the same deliveries. */
const listOf = (list: string) => `taken.${list}[taken.sent + 1 : taken.until]`;

/**
 * A row that another process has changed meanwhile, because the lease had ended, is not taken, and the results of its
 * deliveries are not written: the other process writes its own. Ids and events are copied from the row, which costs
 * less than sending them again.
 */
const INSERT = `
  with emptied_rows as (
    delete from unsent_webhook_deliveries u using ${TAKEN}
     where {scope:u} and u.queue_id = :queue_id and u.id = t.id and u.sent = t.sent and u.total = t.until
    ${RETURNING}),
  other_rows as (
    update unsent_webhook_deliveries u set sent = t.until from ${TAKEN}
     where {scope:u} and u.queue_id = :queue_id and u.id = t.id and u.sent = t.sent and u.total > t.until
    ${RETURNING}),
  taken as (select * from emptied_rows union all select * from other_rows),
  moved as (
    insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, event_id, status, error_code,
      error_message, next_attempt_at, schedule_step, attempts, response_body, created_at)
    select :slot, :merchant_id, r.id, :queue_id, :queue_id, :url, r.event, r.event_id, r.status, r.error_code,
           r.error_message, r.next_attempt_at, r.step, cast(r.attempts as jsonb), r.response_body, taken.created_at
      from taken
      cross join lateral unnest(${listOf('delivery_ids')}, ${listOf('event_ids')}, ${listOf('events')},
             ${resultsOf('statuses', 'text')}, ${resultsOf('error_codes', 'text')}, ${resultsOf('error_messages', 'text')},
             ${resultsOf('next_attempts', 'timestamptz')}, ${resultsOf('steps', 'integer')}, ${resultsOf('attempts', 'text')},
             ${resultsOf('response_bodies', 'text')})
             r (id, event_id, event, status, error_code, error_message, next_attempt_at, step, attempts, response_body)
    returning id)`;
const INSERT_ONLY = `${INSERT} select count(*) from moved`;
const INSERT_AND_RELEASE = `${INSERT}, ${RELEASE}`;

/**
 * Writes the rows of deliveries of an endpoint after their first attempts, and ends the lease on the queue if `release`
 * is given, in one statement. Of each row of unsent deliveries, `results` has the first ones.
 */
export async function insertFirstResults(
  q: Queryable,
  scope: MerchantScope,
  { queueId, results }: { readonly queueId: string; readonly results: readonly FirstResult[] },
  release?: Release,
): Promise<void> {
  const rows = [...Map.groupBy(results, ({ unsent }) => unsent.row).entries()];
  const sorted = rows.flatMap(([{ sent }, ofRow]) => inOrder(sent, ofRow));
  const deliveries = sorted.map(({ delivery }) => delivery);
  await q.execute(scope, release === undefined ? INSERT_ONLY : INSERT_AND_RELEASE, {
    ...(release === undefined ? {} : releaseParams(release)),
    queue_id: queueId,
    url: deliveries[0]!.url,
    row_ids: rows.map(([{ id }]) => id),
    row_sent: rows.map(([{ sent }]) => sent),
    row_until: rows.map(([{ sent }, ofRow]) => sent + ofRow.length),
    firsts: startsOf(rows.map(([, ofRow]) => ofRow.length)),
    statuses: plainArray(deliveries.map(({ status }) => status)),
    error_codes: textArray(deliveries.map(({ error }) => error?.code ?? null)),
    error_messages: textArray(deliveries.map(({ error }) => error?.message ?? null)),
    next_attempts: textArray(deliveries.map(({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? null)),
    steps: plainArray(deliveries.map(({ scheduleStep }) => scheduleStep)),
    attempts: jsonArray(deliveries.map(({ attempts }) => attemptsJson(attempts))),
    response_bodies: textArray(deliveries.map(({ responseBody }) => responseBody)),
  });
}

/** The results of a row in the order of its lists: a reversed pair has another one. */
function inOrder(sent: number, ofRow: readonly FirstResult[]): readonly FirstResult[] {
  const sorted = ofRow.toSorted((a, b) => a.unsent.place - b.unsent.place);
  if (sorted.at(-1)!.unsent.place !== sent + sorted.length - 1)
    throw new Error('A delivery before one with a result has none.');
  return sorted;
}

/** The places, from 1, at which lists of these lengths start when they follow one another. */
function startsOf(lengths: readonly number[]): number[] {
  let next = 1;
  return lengths.map((length) => {
    const start = next;
    next += length;
    return start;
  });
}
