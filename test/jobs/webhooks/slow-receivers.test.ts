/** A slow receiver delays no other. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { addEndpoints } from '../../support/endpoint-rows.ts';
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

it(`delivers to ${HEALTHY} receivers within ${LONGEST_MS} ms behind ${SLOW} that do not answer`, async () => {
  const add = (path: string, count: number, due: string) =>
    addEndpoints(service, {
      url: url + path,
      merchants: count / ENDPOINTS_PER_MERCHANT,
      endpoints: ENDPOINTS_PER_MERCHANT,
      due,
    });
  await add('/slow', SLOW, '2026-01-01T00:00:00Z');
  await add('/healthy', HEALTHY, '2026-01-02T00:00:00Z');
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
