import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sealSecret } from '../../../services/webhooks/endpoint-secrets.ts';
import { newSecret } from '../../../services/webhooks/signature.ts';
import { settle } from '../measure.ts';
import { median } from '../pace.ts';
import { untilDelivered } from './events.ts';
import type { WebhookPace } from './pace.ts';
import type { WebhookSetup } from './setup.ts';

const ENDPOINTS_PER_MERCHANT = 20;
const POLL_MS = 20;
/** The results of all deliveries are written within this time after the last one has arrived. */
const RESULTS_MS = 60_000;

/**
 * Seconds until one delivery has reached each healthy receiver, behind as many that do not answer: median of the
 * rounds.
 */
export async function healthyBehindSlow(setup: WebhookSetup, pace: WebhookPace): Promise<number> {
  const took_s: number[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const worker = await setup.startWorker();
    try {
      await untilDelivered(setup);
      await settle(worker);
      await setup.sink.forget();
      const committed_at = await addReceivers(setup, pace.receivers);
      let counts = await setup.sink.counts();
      while (counts.hook < pace.receivers) {
        await pause(POLL_MS);
        counts = await setup.sink.counts();
      }
      took_s.push((counts.last_at - committed_at) / 1_000);
      await untilSucceeded(setup, pace.receivers);
    } finally {
      // Ends the calls to the slow receivers, for which the worker would wait.
      await setup.sink.forget();
      await settle(worker);
      await worker.stop();
      await removeReceivers(setup);
    }
  }
  return median(took_s);
}

/**
 * Adds merchants with 20 endpoints each, and one delivery that is due for each endpoint: first for all that do not
 * answer, then for as many that do. Each is signed with the endpoint's own secret and has the merchant's own event.
 * Returns when they were committed.
 */
async function addReceivers({ pool, sink, vault }: WebhookSetup, count: number): Promise<number> {
  const ids = Array.from({ length: 2 * count }, () => randomUUID());
  const sealed = ids.map((id) => sealSecret({ vault }, id, newSecret(randomBytes)));
  await pool.query(
    `with merchant as materialized (
       select n, (n % 256)::smallint as slot, gen_random_uuid() as merchant_id, gen_random_uuid() as event_id,
              n > $1 as is_healthy
         from generate_series(1, 2 * $1) n),
     copied as (
       insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
         encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
       select n.slot, n.merchant_id, '${NAME}', legal_name, status, plan, mccs, payment_methods, encryption_key_sealed,
              private_key_sealed, public_key_jwk, m.created_at, m.updated_at
         from merchant n cross join (select * from merchants limit 1) m),
     happened as (
       insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
       select n.slot, n.merchant_id, n.event_id, event, object_type, object_id, payment_id, data, created_at
         from merchant n cross join (select * from events limit 1) e),
     endpoint as materialized (
       select slot, merchant_id, event_id, e.id, secret_sealed, case when is_healthy then $2 else $3 end as url,
              date_trunc('milliseconds', case when is_healthy then now() else now() - interval '1 second' end) as due
         from unnest($4::uuid[], $5::bytea[]) with ordinality e (id, secret_sealed, place)
         join merchant on n = (place - 1) / ${ENDPOINTS_PER_MERCHANT} + 1),
     added as (
       insert into webhook_endpoints (slot, merchant_id, id, url, events, status, secret_sealed, created_at, updated_at)
       select slot, merchant_id, id, url, '{*}', 'active', secret_sealed, due, due from endpoint),
     delivery as (
       insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, event_id,
         next_attempt_at, created_at)
       select slot, merchant_id, gen_random_uuid(), id, id, url, 'payment.created', event_id, due, due from endpoint)
     insert into webhook_queues (slot, merchant_id, id, due_at) select slot, merchant_id, id, due from endpoint`,
    [count / ENDPOINTS_PER_MERCHANT, `${sink.url}/hook`, `${sink.url}/slow`, ids, sealed],
  );
  return Date.now();
}

/** Resolves when so many deliveries have succeeded: results are written some time after their answers. */
async function untilSucceeded(setup: WebhookSetup, expected: number): Promise<void> {
  const deadline = Date.now() + RESULTS_MS;
  for (let count = await countSucceeded(setup); count < expected; count = await countSucceeded(setup)) {
    if (Date.now() > deadline) throw new Error(`${count} of ${expected} succeeded.`);
    await pause(POLL_MS);
  }
}

/** How many of the deliveries have succeeded. */
async function countSucceeded({ pool }: WebhookSetup): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::integer as count from webhook_deliveries
      where status = 'succeeded' and merchant_id in (select merchant_id from merchants where name = $1)`,
    [NAME],
  );
  return rows[0].count;
}

const NAME = 'Receiver of the bench';
const TABLES = ['webhook_queues', 'webhook_deliveries', 'webhook_endpoints', 'events', 'merchants'];

async function removeReceivers({ pool }: WebhookSetup): Promise<void> {
  for (const table of TABLES) {
    await pool.query(
      `delete from ${table} where merchant_id in (select merchant_id from merchants where name = $1)`,
      [NAME],
    );
  }
}
