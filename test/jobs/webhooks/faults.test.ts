/** Faults that a merchant sets in the sandbox, as its receiver and its list of deliveries show them. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { type Json, startTestService } from '../../support/service.ts';
import { created } from '../../support/shop.ts';
import { FaultyDeliveries } from '../../support/webhooks/faulty-deliveries.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';

/** How long a delivery waits for another one, as the contract says. */
const REORDER_WAIT_MS = 5_000;

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const faulty = new FaultyDeliveries(service);
after(() => service.stop());

describe('duplicate', () => {
  it('sends each attempt twice, with the same id, bytes and signature, and stores it once', async () => {
    const { shop, receiver, endpoint, ping } = await faulty.open({ duplicate: true });
    const path = await ping();
    await faulty.deliver();
    const [first, second] = receiver.arrivals as [Receiver['arrivals'][number], Receiver['arrivals'][number]];
    assert.equal(receiver.arrivals.length, 2);
    assert.equal(first.text, second.text);
    for (const name of ['x-service-delivery', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])
      assert.equal(first.headers[name], second.headers[name], name);
    faulty.assertSigned(endpoint.secret, second);
    const { status, attempts } = await shop.get(path);
    assert.deepEqual([status, attempts.length], ['succeeded', 1]);
  });
});

describe('delay_s', () => {
  it('sends each attempt later than it is due', async () => {
    const { shop, receiver, ping } = await faulty.open({ delay_s: 60 });
    receiver.answer = (_, response) => response.writeHead(500).end();
    const path = await ping();
    faulty.letPass(58_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 0);
    faulty.letPass(3_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 1);
    const { next_attempt_at } = await shop.get(path);
    faulty.letPass(Date.parse(next_attempt_at) - service.deps.wall().getTime() + 58_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 1);
    faulty.letPass(3_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 2);
  });

  it('ends at once when it is removed', async () => {
    const { receiver, setFaults, ping } = await faulty.open({ delay_s: 3_600 });
    await ping();
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 0);
    await setFaults({});
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 1);
  });
});

describe('reorder', () => {
  it('sends the later of two deliveries first, and one alone a few seconds later', async () => {
    const { shop, receiver, endpoint } = await faulty.open({ reorder: true });
    const { id } = await shop.authorized();
    const names = await shop.eventNames(id);
    assert.equal(names.length, 3);
    await faulty.deliver();
    assert.deepEqual(receiver.events, [names[1], names[0]]);
    faulty.letPass(REORDER_WAIT_MS - 2_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 2);
    faulty.letPass(2_000);
    await faulty.deliver();
    assert.deepEqual(receiver.events, [names[1], names[0], names[2]]);
    for (const arrival of receiver.arrivals) faulty.assertSigned(endpoint.secret, arrival);
  });

  it('sends a later event before the one that waits', async () => {
    const { shop, receiver } = await faulty.open(
      { reorder: true },
      { events: ['payment.pre_authorized', 'payment.capture_confirmed'] },
    );
    const { id } = await shop.authorized();
    await faulty.deliver();
    assert.deepEqual(receiver.events, []);
    await shop.capture(id);
    await faulty.deliver();
    assert.deepEqual(receiver.events, ['payment.capture_confirmed', 'payment.pre_authorized']);
  });
});

describe('wrong_signature', () => {
  it('signs with a wrong secret, and the next attempt without the fault is right', async () => {
    const { shop, receiver, endpoint, setFaults, ping } = await faulty.open({ wrong_signature: true });
    receiver.answer = (arrival, response) => {
      try {
        faulty.assertSigned(endpoint.secret, arrival);
        response.end();
      } catch {
        response.writeHead(401).end();
      }
    };
    const path = await ping();
    await faulty.deliver();
    const failed = await shop.get(path);
    assert.deepEqual([failed.status, failed.attempts[0].response_status], ['pending', 401]);
    assert.match(String(receiver.arrivals[0]!.headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/);
    await setFaults({});
    faulty.letPass(6_000);
    await faulty.deliver();
    assert.equal((await shop.get(path)).status, 'succeeded');
    const [first, second] = receiver.arrivals;
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
  });

  it('signs nothing for an endpoint without a secret', async () => {
    const { receiver, ping } = await faulty.open({ wrong_signature: true }, { secret: null });
    await ping();
    await faulty.deliver();
    assert.equal(receiver.arrivals[0]!.headers['webhook-signature'], undefined);
  });
});

describe('the faults of one endpoint', () => {
  it('do not affect another, or a notification URL', async () => {
    const { shop } = await faulty.open({ drop_first: 10, delay_s: 3_600 });
    await using other = await Receiver.start();
    await using notified = await Receiver.start();
    await created(shop.post('/webhook-endpoints', { url: other.url, events: ['payment.created'] }));
    await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: notified.url }));
    await faulty.deliver();
    assert.deepEqual(other.events, ['payment.created']);
    assert.equal(notified.events.length, 2);
  });

  it('end when the sandbox is reset', async () => {
    const { shop, receiver, ping } = await faulty.open({ delay_s: 3_600 });
    assert.equal((await shop.post('/sandbox/reset')).status, 200);
    await ping();
    await faulty.deliver();
    assert.deepEqual(receiver.events, ['ping']);
  });
});

describe('a fault that is set while deliveries are not sent yet', () => {
  /** An endpoint with three of them, in one row. */
  async function openWithUnsent() {
    const opened = await faulty.open({});
    const { id } = await opened.shop.authorized();
    await fanOutEvents(service.deps);
    const unsent = () =>
      service.rows('select sent, total from unsent_webhook_deliveries where queue_id = :id', {
        id: opened.endpoint.id,
      });
    assert.deepEqual(await unsent(), [{ sent: 0, total: 3 }]);
    const deliveries = async (): Promise<Json[]> =>
      (await opened.shop.get(`/webhook-deliveries?endpoint_id=${opened.endpoint.id}`)).data;
    return { ...opened, names: await opened.shop.eventNames(id), unsent, deliveries };
  }

  it('reverses the first two, and each arrives once', async () => {
    const { receiver, setFaults, names, unsent, deliveries } = await openWithUnsent();
    receiver.answer = ({ headers }, response) => response.end(headers['x-service-delivery']);
    await setFaults({ reorder: true });
    await faulty.deliver();
    assert.deepEqual(receiver.events, [names[1], names[0]]);
    assert.deepEqual(await unsent(), [{ sent: 2, total: 3 }]);
    assert.deepEqual((await deliveries()).map(({ status }) => status).toSorted(), [
      'pending',
      'succeeded',
      'succeeded',
    ]);
    faulty.letPass(REORDER_WAIT_MS);
    await faulty.deliver();
    assert.deepEqual(receiver.events, [names[1], names[0], names[2]]);
    assert.deepEqual(await unsent(), []);
    for (const { id, response_body } of await deliveries()) assert.equal(response_body, id);
  });

  it('drops the first attempt of each, and the next ones arrive once', async () => {
    const { receiver, setFaults, unsent, deliveries } = await openWithUnsent();
    await setFaults({ drop_first: 1 });
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 0);
    assert.deepEqual(await unsent(), []);
    faulty.letPass(6_000);
    await faulty.deliver();
    const all = await deliveries();
    assert.deepEqual(
      receiver.arrivals.map(({ headers }) => headers['webhook-id']).toSorted(),
      all.map(({ id }) => id).toSorted(),
    );
    for (const { status, attempts } of all) assert.deepEqual([status, attempts.length], ['succeeded', 2]);
  });
});
