/** Endpoints that are disabled cost the workers nothing. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { startTestService } from '../../support/service.ts';
import { created } from '../../support/shop.ts';
import { openEndpoint } from '../../support/webhooks/webhook-endpoint.ts';

const ENDPOINTS = 20;

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
after(() => service.stop());

it('disabled endpoints get no deliveries, and no statement looks at them', async () => {
  const { shop, receiver, path } = await openEndpoint(service);
  const paths = [path];
  for (let i = 1; i < ENDPOINTS; i += 1) {
    const body = { url: receiver.url, events: ['*'] };
    paths.push(`/webhook-endpoints/${(await created(shop.post('/webhook-endpoints', body))).id}`);
  }
  receiver.answer = (_, response) => response.writeHead(500).end();
  await shop.pixPayment();
  await fanOutEvents(service.deps);
  await new DeliveryLoop(service.deps).runToEnd();
  assert.equal(receiver.arrivals.length, 2 * ENDPOINTS);
  for (const each of paths) await shop.call('PUT', each, { body: { status: 'disabled' } });
  await new DeliveryLoop(service.deps).runToEnd();

  const before = await service.rows('select id from webhook_deliveries');
  await shop.pixPayment();
  await fanOutEvents(service.deps);
  service.setAhead(30 * 24 * 3_600_000);
  const { db, statements } = recordStatements(service.deps.db);
  assert.equal(await new DeliveryLoop({ ...service.deps, db }).round(), 0);
  assert.equal(statements.filter((sql) => sql.includes('webhook_')).length, 1, 'the search for slots');
  assert.equal(receiver.arrivals.length, 2 * ENDPOINTS);
  const deliveries = await service.rows<{ status: string }>('select status from webhook_deliveries');
  assert.equal(deliveries.length, before.length);
  assert.ok(deliveries.every(({ status }) => status === 'failed'));
  assert.equal((await service.rows('select 1 from webhook_queues')).length, 0);
});
