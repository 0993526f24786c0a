/** A receiver that answers errors, stalls, closes connections, and comes back gets everything. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { type Arrival, Receiver, verified } from '../../support/webhooks/receiver.ts';

/** In place of 10 s. */
const TIMEOUT_MS = 500;
const RETRIES_MS = Array.from({ length: 30 }, () => 300);
const FAULTS: readonly Receiver['answer'][] = [
  (_, response) => response.writeHead(500).end(),
  () => {},
  (_, response) => response.destroy(),
];

/** How often the service has counted this result of an attempt. */
async function counted(result: string): Promise<number> {
  const text = await (await fetch(`${service.internalUrl}/metrics`)).text();
  const name = `centavo_webhook_delivery_attempts_total{result="${result}"} `;
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.slice(name.length),
  );
}

const service = await sharedService({
  env: { ALLOW_PRIVATE_DESTINATIONS: 'true' },
  overrides: { outgoing: new OutgoingCalls({ allowPrivate: true, timeout_ms: TIMEOUT_MS }) },
});

it('an outage of a receiver loses no delivery, and each keeps its id and its bytes', async () => {
  const shop = await Shop.open(service);
  await changeMerchant(service.deps, shop.account, { webhookRetries_ms: RETRIES_MS });
  await using receiver = await Receiver.start();
  const { id, secret } = await created(shop.post('/webhook-endpoints', { url: receiver.url, events: ['*'] }));
  for (const fault of FAULTS) {
    receiver.answer = fault;
    const before = receiver.arrivals.length;
    await shop.pixPayment();
    await until('it was tried', () => receiver.arrivals.length >= before + 2);
  }
  receiver.answer = (_, response) => response.end();
  const deliveries = async (): Promise<Json[]> =>
    (await shop.get(`/webhook-deliveries?per_page=100&endpoint_id=${id}`)).data;
  await until('all have succeeded', async () => {
    const all = await deliveries();
    return all.length === 6 && all.every(({ status }) => status === 'succeeded');
  });

  const attempts = Map.groupBy(receiver.arrivals, ({ body }) => body.id as string);
  const events: Json[] = (await shop.get('/events?per_page=100')).data;
  assert.deepEqual([...attempts.keys()].toSorted(), events.map((event) => event.id).toSorted());
  for (const [event, arrivals] of attempts) {
    const one = (what: (arrival: Arrival) => unknown) => new Set(arrivals.map(what)).size;
    assert.equal(
      one(({ headers }) => headers['webhook-id']),
      1,
      `${event} has one id`,
    );
    assert.equal(
      one(({ text }) => text),
      1,
      `${event} has one body`,
    );
    for (const arrival of arrivals) verified(secret, arrival);
  }
  assert.equal((await shop.get(`/webhook-endpoints/${id}`)).failing_since, null);
  assert.equal(await counted('succeeded'), 6);
  assert.equal(await counted('failed'), receiver.arrivals.length - 6);
  const errors = new Set(
    (await deliveries()).flatMap((each) => each.attempts.map(({ error }: Json) => error?.code)),
  );
  for (const code of ['unexpected_status', 'timed_out', 'connection_closed'])
    assert.ok(errors.has(code), code);
});
