import { openDatabase } from '../../../db/engine/database.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import { webhooks } from '../../../jobs/webhooks/area.ts';
import { median } from '../pace.ts';
import { type Delivered, deliverFrom } from './deliveries.ts';
import type { WebhookPace } from './pace.ts';
import { callApi, ENDPOINTS, SUBSCRIBED, type WebhookSetup } from './setup.ts';

/** Today's work, with this many past deliveries of the same merchant. */
export interface WithPast {
  readonly past: number;
  /** The round with the median speed. */
  readonly delivered: Delivered;
  /** Deliveries a second of each round. */
  readonly rates: readonly number[];
  /** Time of a page of 20 deliveries: the newest, those of an endpoint, and those that failed. */
  readonly pages_ms: Readonly<Record<'newest' | 'of an endpoint' | 'failed', number>>;
  /** Time of one batch of the clean-up in the merchant's slot, when nothing has expired. */
  readonly nothingExpired_ms: number;
  /** The same when 1,000 deliveries have expired. */
  readonly expired_ms: number;
}

const DAYS_KEPT = 30;
/** Rows of one statement. */
const LOT = 200_000;
const PAGES = 50;
const CLEANED = 1_000;

/** Measures today's work with the deliveries of the measurements so far, and with `pace.past` more. */
export async function pastDeliveries(setup: WebhookSetup, pace: WebhookPace): Promise<WithPast[]> {
  const without = await measure(setup, pace, 0);
  await fill(setup, pace.past);
  return [without, await measure(setup, pace, pace.past)];
}

async function measure(setup: WebhookSetup, pace: WebhookPace, past: number): Promise<WithPast> {
  const events = pace.today / ENDPOINTS;
  // Reads the rows, which were just written to disk, into the cache.
  await deliverFrom(setup, events);
  const rounds: Delivered[] = [];
  for (let round = 0; round < pace.rounds; round += 1) rounds.push(await deliverFrom(setup, events));
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  const { pool, bench } = setup;
  const { rows } = await pool.query('select id from webhook_endpoints where merchant_id = $1 limit 1', [
    bench.merchants[SUBSCRIBED]!.merchantId,
  ]);
  return {
    past,
    delivered: sorted[Math.floor(sorted.length / 2)]!,
    rates: sorted.map(({ perSecond }) => perSecond),
    pages_ms: {
      newest: await pageTime(setup, ''),
      'of an endpoint': await pageTime(setup, `?endpoint_id=${rows[0].id}`),
      failed: await pageTime(setup, '?status=failed'),
    },
    ...(await cleanUpTimes(setup)),
  };
}

async function pageTime({ bench }: WebhookSetup, query: string): Promise<number> {
  const took_ms: number[] = [];
  for (let i = 0; i < PAGES; i += 1) {
    const began = performance.now();
    await callApi(bench.service, bench.merchants[SUBSCRIBED]!, `/webhook-deliveries${query}`);
    took_ms.push(performance.now() - began);
  }
  return median(took_ms);
}

async function cleanUpTimes(setup: WebhookSetup) {
  const { pool, bench } = setup;
  const { rows } = await pool.query('select slot from merchants where merchant_id = $1', [
    bench.merchants[SUBSCRIBED]!.merchantId,
  ]);
  const db = openDatabase({ url: bench.environment.databaseUrl, maxConnections: 1 });
  const [table] = webhooks.expiringTables!;
  const cleanUp = async () => {
    const before = new Date(Date.now() - table!.kept_ms);
    const began = performance.now();
    const deleted = await deleteExpired(db, rows[0].slot, { table: table!, before, limit: CLEANED });
    return { took_ms: performance.now() - began, deleted: deleted.length };
  };
  try {
    await cleanUp();
    const nothing = await cleanUp();
    await insertPast(setup, {
      first: 1,
      last: CLEANED,
      oldest_days: DAYS_KEPT + 1,
      newest_days: DAYS_KEPT + 1,
    });
    const expired = await cleanUp();
    if (nothing.deleted !== 0 || expired.deleted !== CLEANED) {
      throw new Error(`The clean-up deleted ${nothing.deleted} and ${expired.deleted} deliveries.`);
    }
    return { nothingExpired_ms: nothing.took_ms, expired_ms: expired.took_ms };
  } finally {
    await db.close();
  }
}

/** Deliveries of the last weeks, of which one of a hundred has failed. */
async function fill(setup: WebhookSetup, count: number): Promise<void> {
  for (let first = 1; first <= count; first += LOT) {
    const last = Math.min(first + LOT - 1, count);
    await insertPast(setup, {
      first,
      last,
      oldest_days: (DAYS_KEPT - 1) * (1 - (first - 1) / count),
      newest_days: (DAYS_KEPT - 1) * (1 - last / count),
    });
  }
  await setup.pool.query('vacuum analyze webhook_deliveries');
  await setup.pool.query('checkpoint');
}

interface Lot {
  readonly first: number;
  readonly last: number;
  /** Age of the first and of the last one. */
  readonly oldest_days: number;
  readonly newest_days: number;
}

/** An id, as a UUID version 7, that was made then. */
const idAt = (time: string) =>
  `cast(lpad(to_hex(cast(extract(epoch from ${time}) * 1000 as bigint)), 12, '0') || '7' || substr(md5(random()::text), 1, 19) as uuid)`;

async function insertPast({ pool, bench }: WebhookSetup, lot: Lot): Promise<void> {
  await pool.query(
    `insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, event_id, status, error_code,
       error_message, schedule_step, attempts, response_body, created_at)
     select w.slot, w.merchant_id, ${idAt('past.created_at')}, w.id, w.id, w.url, 'payment.updated', gen_random_uuid(),
            case when n % 100 = 0 then 'failed' else 'succeeded' end,
            case when n % 100 = 0 then 'unexpected_status' end,
            case when n % 100 = 0 then 'The answer had the status 500.' end,
            1, jsonb_build_array(jsonb_build_object('at', now(), 'duration_ms', 12, 'status', 200, 'error', null)), 'ok', past.created_at
       from generate_series(cast($2 as bigint), cast($3 as bigint)) n
       cross join lateral (
         select now() - interval '1 day' * ($4::float8 + ($5::float8 - $4::float8) * (n - $2::bigint)
                  / greatest($3::bigint - $2::bigint, 1)) as created_at) past
       join (select *, row_number() over (order by id) - 1 as place, count(*) over () as endpoints
               from webhook_endpoints where merchant_id = $1) w on w.place = n % w.endpoints`,
    [bench.merchants[SUBSCRIBED]!.merchantId, lot.first, lot.last, lot.oldest_days, lot.newest_days],
  );
}
