/** A slow receiver delays no other. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Few enough for a busy machine. */
const SLOW = 200;
const HEALTHY = 200;
/** Before the first slow one times out. */
const LONGEST_MS = 8_000;
const ENDPOINTS_PER_MERCHANT = 20;

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const silent: ServerResponse[] = [];
let arrived = 0;
const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/slow') silent.push(response);
  else {
    arrived += 1;
    response.end();
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(async () => {
  server.closeAllConnections();
  server.close();
  await service.stop();
});

/** Merchants with endpoints, each with one ping that has been due for longer than those of the next group. */
async function addEndpoints(path: string, count: number, due: string): Promise<void> {
  await service.rows(
    `with merchant as materialized (
       select (n % 256)::smallint as slot, gen_random_uuid() as merchant_id
         from generate_series(1, cast(:merchants as integer)) n),
     copied as (
       insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
         encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
       select n.slot, n.merchant_id, name, legal_name, status, plan, mccs, payment_methods, encryption_key_sealed,
              private_key_sealed, public_key_jwk, m.created_at, m.updated_at
         from merchant n cross join (select * from merchants limit 1) m),
     endpoint as materialized (
       select slot, merchant_id, gen_random_uuid() as id from merchant, generate_series(1, ${ENDPOINTS_PER_MERCHANT})),
     added as (
       insert into webhook_endpoints (slot, merchant_id, id, url, events, status, created_at, updated_at)
       select slot, merchant_id, id, :url, '{*}', 'active', now(), now() from endpoint),
     delivery as (
       insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, next_attempt_at, created_at)
       select slot, merchant_id, gen_random_uuid(), id, id, :url, 'ping', cast(:due as timestamptz), now() from endpoint)
     insert into webhook_queues (slot, merchant_id, id, due_at)
     select slot, merchant_id, id, cast(:due as timestamptz) from endpoint`,
    { merchants: count / ENDPOINTS_PER_MERCHANT, url: url + path, due },
  );
}

it(`delivers to ${HEALTHY} receivers within ${LONGEST_MS} ms behind ${SLOW} that do not answer`, async () => {
  await addEndpoints('/slow', SLOW, '2026-01-01T00:00:00Z');
  await addEndpoints('/healthy', HEALTHY, '2026-01-02T00:00:00Z');
  const loop = new DeliveryLoop(service.deps);
  const started = performance.now();
  await loop.round();
  await until('all have arrived', () => arrived === HEALTHY);
  const took_ms = performance.now() - started;
  await until('every slow receiver was called', () => silent.length === SLOW);
  assert.ok(took_ms <= LONGEST_MS, `took ${Math.round(took_ms)} ms`);
  for (const response of silent) response.end();
  await loop.stop();
  const left = await service.rows("select 1 from webhook_deliveries where status <> 'succeeded'");
  assert.equal(left.length, 0);
});
