/** The gauges of webhooks that are not delivered yet. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { readBacklog } from '../../../db/webhooks/backlog.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { measureBacklog } from '../../../jobs/webhooks/measure-backlog.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { startTestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { openEndpoint } from '../../support/webhooks/webhook-endpoint.ts';

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const { deps } = service;
after(() => service.stop());

/** The gauges after a measurement: oldest due (seconds), due, scheduled, events. */
async function measured(): Promise<number[]> {
  await measureBacklog(deps);
  const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
  return [
    'oldest_due_seconds',
    'deliveries_pending{state="due"}',
    'deliveries_pending{state="scheduled"}',
    'events_pending',
  ].map((name) => {
    const line = metrics.split('\n').find((each) => each.startsWith(`centavo_webhook_${name} `));
    return Math.floor(Number(line?.split(' ')[1]));
  });
}

it('the gauges follow an event until it is delivered', async () => {
  assert.deepEqual(await measured(), [0, 0, 0, 0]);
  const { shop, receiver } = await openEndpoint(service);
  await shop.pixPayment();
  assert.deepEqual(await measured(), [0, 0, 0, 2]);

  await fanOutEvents(deps);
  service.setAhead(90_000);
  assert.deepEqual(await measured(), [90, 2, 0, 0]);

  receiver.answer = (_, response) => response.writeHead(500).end();
  await new DeliveryLoop(deps).runToEnd();
  assert.deepEqual(await measured(), [0, 0, 2, 0]);

  receiver.answer = (_, response) => response.end();
  service.setAhead(190_000);
  await new DeliveryLoop(deps).runToEnd();
  assert.deepEqual(await measured(), [0, 0, 0, 0]);
});

it('a measurement reads pending deliveries only, from indexes, however many others there are', async () => {
  const shop = await Shop.open(service);
  await service.rows(
    `insert into webhook_deliveries (slot, merchant_id, id, queue_id, url, event, event_id, status, created_at)
     select slot, merchant_id, gen_random_uuid(), merchant_id, 'https://a.example', 'payment.created',
            gen_random_uuid(), 'succeeded', now()
       from merchants, generate_series(1, 5000) where merchant_id = :account`,
    { account: shop.account },
  );
  await service.rows('analyze webhook_deliveries');
  const { db, statements } = recordStatements(deps.db);
  const wall = deps.wall();
  await readBacklog(db, wall, 1_000);
  assert.equal(statements.length, 4);
  for (const sql of statements) {
    const params = {
      ...(sql.includes(':wall') && { wall }),
      ...(sql.includes(':limit') && { limit: 1_000 }),
    };
    const lines = await service.rows<{ 'QUERY PLAN': string }>(`explain ${sql}`, params);
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.doesNotMatch(plan, /Seq Scan on webhook_(deliveries|queues)/);
  }
});
