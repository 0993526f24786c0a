import { setTimeout as pause } from 'node:timers/promises';
import { settle } from '../measure.ts';
import { median } from '../pace.ts';
import { untilDelivered } from './events.ts';
import type { WebhookPace } from './pace.ts';
import type { WebhookSetup } from './setup.ts';

const ENDPOINTS_PER_MERCHANT = 20;
const POLL_MS = 20;

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
 * answer, then for as many that do. Returns when they were committed.
 */
async function addReceivers({ pool, sink }: WebhookSetup, count: number): Promise<number> {
  await pool.query(
    `with merchant as materialized (
       select (n % 256)::smallint as slot, gen_random_uuid() as merchant_id, n > $1 as is_healthy
         from generate_series(1, 2 * $1) n),
     copied as (
       insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
         encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
       select n.slot, n.merchant_id, '${NAME}', legal_name, status, plan, mccs, payment_methods, encryption_key_sealed,
              private_key_sealed, public_key_jwk, m.created_at, m.updated_at
         from merchant n cross join (select * from merchants limit 1) m),
     endpoint as materialized (
       select slot, merchant_id, gen_random_uuid() as id, case when is_healthy then $2 else $3 end as url,
              case when is_healthy then now() else now() - interval '1 second' end as due
         from merchant, generate_series(1, ${ENDPOINTS_PER_MERCHANT})),
     added as (
       insert into webhook_endpoints (slot, merchant_id, id, url, events, status, created_at, updated_at)
       select slot, merchant_id, id, url, '{*}', 'active', now(), now() from endpoint),
     delivery as (
       insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, next_attempt_at, created_at)
       select slot, merchant_id, gen_random_uuid(), id, id, url, 'ping', due, now() from endpoint)
     insert into webhook_queues (slot, merchant_id, id, due_at) select slot, merchant_id, id, due from endpoint`,
    [count / ENDPOINTS_PER_MERCHANT, `${sink.url}/hook`, `${sink.url}/slow`],
  );
  return Date.now();
}

const NAME = 'Receiver of the bench';
const TABLES = ['webhook_queues', 'webhook_deliveries', 'webhook_endpoints', 'merchants'];

async function removeReceivers({ pool }: WebhookSetup): Promise<void> {
  for (const table of TABLES) {
    await pool.query(
      `delete from ${table} where merchant_id in (select merchant_id from merchants where name = $1)`,
      [NAME],
    );
  }
}
