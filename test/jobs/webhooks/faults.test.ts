/** Faults that a merchant sets in the sandbox, as its receiver and its list of deliveries show them. */
import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { REORDER_WAIT_MS } from '../../../domain/webhooks/next-batch.ts';
import { RETRIES_MS } from '../../../domain/webhooks/retry-schedule.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { type Json, startTestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { type Arrival, Receiver, verified } from '../../support/webhooks/receiver.ts';

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const { deps } = service;
const loop = new DeliveryLoop(deps);
after(() => service.stop());
let ahead_ms = 0;
const letPass = (ms: number) => {
  ahead_ms += ms;
  service.setAhead(ahead_ms);
};

/** Throws unless the signature is right and recent, by the time that the service has now. */
function assertSigned(secret: string, arrival: Arrival): void {
  mock.timers.enable({ apis: ['Date'], now: deps.wall() });
  try {
    verified(secret, arrival);
  } finally {
    mock.timers.reset();
  }
}

/** A shop with an endpoint that has faults. */
async function open(faults: object, fields: object = {}) {
  const shop = await Shop.open(service);
  const receiver = await Receiver.start();
  after(() => receiver[Symbol.asyncDispose]());
  const body = { url: receiver.url, events: ['*'], ...fields };
  const endpoint: Json = await created(shop.post('/webhook-endpoints', body));
  const setFaults = async (next: object) => {
    const path = `/sandbox/webhook-endpoints/${endpoint.id}/faults`;
    assert.equal((await shop.call('PUT', path, { body: next })).status, 200);
  };
  await setFaults(faults);
  /** Requests a ping. Returns the path of its delivery. */
  const ping = async () => {
    const { id } = await created(shop.post(`/webhook-endpoints/${endpoint.id}/ping`));
    return `/webhook-deliveries/${id}`;
  };
  return { shop, receiver, endpoint, setFaults, ping };
}

async function deliver(): Promise<void> {
  await fanOutEvents(deps);
  await loop.runToEnd();
}

describe('duplicate', () => {
  it('sends each attempt twice, with the same id, bytes and signature, and stores it once', async () => {
    const { shop, receiver, endpoint, ping } = await open({ duplicate: true });
    const path = await ping();
    await deliver();
    const [first, second] = receiver.arrivals as [Receiver['arrivals'][number], Receiver['arrivals'][number]];
    assert.equal(receiver.arrivals.length, 2);
    assert.equal(first.text, second.text);
    for (const name of ['x-service-delivery', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])
      assert.equal(first.headers[name], second.headers[name], name);
    assertSigned(endpoint.secret, second);
    const { status, attempts } = await shop.get(path);
    assert.deepEqual([status, attempts.length], ['succeeded', 1]);
  });
});

describe('drop_first', () => {
  it('fails the first attempts without sending them, and the next attempt follows the schedule', async () => {
    const { shop, receiver, endpoint, ping } = await open({ drop_first: 2 });
    const path = await ping();
    await deliver();
    letPass(6_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 0);
    const dropped = await shop.get(path);
    assert.deepEqual(
      dropped.attempts.map(({ error, response_status }: Json) => [error.code, response_status]),
      [
        ['simulated_drop', null],
        ['simulated_drop', null],
      ],
    );
    assert.deepEqual([dropped.status, dropped.error.code], ['pending', 'simulated_drop']);
    letPass(301_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 1);
    assertSigned(endpoint.secret, receiver.arrivals[0]!);
    const { status, attempts } = await shop.get(path);
    assert.deepEqual([status, attempts.length], ['succeeded', 3]);
  });

  it('does not drop a delivery again that is requested again, unless it has had fewer attempts', async () => {
    const { shop, receiver, setFaults, ping } = await open({ drop_first: 1 });
    const path = await ping();
    const codes = async () => (await shop.get(path)).attempts.map(({ error }: Json) => error?.code ?? null);
    await deliver();
    await shop.post(`${path}/redeliver`);
    await deliver();
    assert.deepEqual([await codes(), receiver.arrivals.length], [['simulated_drop', null], 1]);
    await setFaults({ drop_first: 3 });
    await shop.post(`${path}/redeliver`);
    await deliver();
    assert.deepEqual(
      [await codes(), receiver.arrivals.length],
      [['simulated_drop', null, 'simulated_drop'], 1],
    );
    await shop.post(`${path}/redeliver`);
    await deliver();
    assert.deepEqual([(await codes()).slice(2), receiver.arrivals.length], [['simulated_drop', null], 2]);
  });

  it('does not delay the other deliveries, and the endpoint does not count as failing', async () => {
    const { shop, receiver, endpoint, ping } = await open({ drop_first: 1 });
    const paths: string[] = [];
    for (let i = 0; i < 20; i += 1) paths.push(await ping());
    await deliver();
    for (const path of paths) assert.equal((await shop.get(path)).error?.code, 'simulated_drop');
    const { failing_since } = await shop.get(`/webhook-endpoints/${endpoint.id}`);
    assert.equal(failing_since, null);
    await shop.pixPayment();
    await deliver();
    letPass(RETRIES_MS[0]!);
    await deliver();
    assert.equal(receiver.arrivals.length, 22);
  });

  it('does not hide that the endpoint fails', async () => {
    const { shop, receiver, endpoint, setFaults, ping } = await open({});
    receiver.answer = (_, response) => response.writeHead(500).end();
    await ping();
    await deliver();
    await setFaults({ drop_first: 1 });
    const failingSince = async () => (await shop.get(`/webhook-endpoints/${endpoint.id}`)).failing_since;
    const before = await failingSince();
    assert.notEqual(before, null);
    await ping();
    await deliver();
    assert.equal(await failingSince(), before);
  });

  it('applies to each delivery', async () => {
    const { receiver, ping } = await open({ drop_first: 1 });
    await ping();
    await deliver();
    letPass(6_000);
    await ping();
    await deliver();
    assert.equal(receiver.arrivals.length, 1);
    letPass(6_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 2);
  });
});

describe('delay_s', () => {
  it('sends each attempt later than it is due', async () => {
    const { shop, receiver, ping } = await open({ delay_s: 60 });
    receiver.answer = (_, response) => response.writeHead(500).end();
    const path = await ping();
    letPass(58_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 0);
    letPass(3_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 1);
    const { next_attempt_at } = await shop.get(path);
    letPass(Date.parse(next_attempt_at) - deps.wall().getTime() + 58_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 1);
    letPass(3_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 2);
  });

  it('ends at once when it is removed', async () => {
    const { receiver, setFaults, ping } = await open({ delay_s: 3_600 });
    await ping();
    await deliver();
    assert.equal(receiver.arrivals.length, 0);
    await setFaults({});
    await deliver();
    assert.equal(receiver.arrivals.length, 1);
  });
});

describe('reorder', () => {
  it('sends the later of two deliveries first, and one alone a few seconds later', async () => {
    const { shop, receiver, endpoint } = await open({ reorder: true });
    const { id } = await shop.authorized();
    const names = await shop.eventNames(id);
    assert.equal(names.length, 3);
    await deliver();
    assert.deepEqual(receiver.events, [names[1], names[0]]);
    letPass(REORDER_WAIT_MS - 2_000);
    await deliver();
    assert.equal(receiver.arrivals.length, 2);
    letPass(2_000);
    await deliver();
    assert.deepEqual(receiver.events, [names[1], names[0], names[2]]);
    for (const arrival of receiver.arrivals) assertSigned(endpoint.secret, arrival);
  });

  it('sends a later event before the one that waits', async () => {
    const { shop, receiver } = await open(
      { reorder: true },
      { events: ['payment.pre_authorized', 'payment.capture_confirmed'] },
    );
    const { id } = await shop.authorized();
    await deliver();
    assert.deepEqual(receiver.events, []);
    await shop.capture(id);
    await deliver();
    assert.deepEqual(receiver.events, ['payment.capture_confirmed', 'payment.pre_authorized']);
  });
});

describe('wrong_signature', () => {
  it('signs with a wrong secret, and the next attempt without the fault is right', async () => {
    const { shop, receiver, endpoint, setFaults, ping } = await open({ wrong_signature: true });
    receiver.answer = (arrival, response) => {
      try {
        assertSigned(endpoint.secret, arrival);
        response.end();
      } catch {
        response.writeHead(401).end();
      }
    };
    const path = await ping();
    await deliver();
    const failed = await shop.get(path);
    assert.deepEqual([failed.status, failed.attempts[0].response_status], ['pending', 401]);
    assert.match(String(receiver.arrivals[0]!.headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/);
    await setFaults({});
    letPass(6_000);
    await deliver();
    assert.equal((await shop.get(path)).status, 'succeeded');
    const [first, second] = receiver.arrivals;
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
  });

  it('signs nothing for an endpoint without a secret', async () => {
    const { receiver, ping } = await open({ wrong_signature: true }, { secret: null });
    await ping();
    await deliver();
    assert.equal(receiver.arrivals[0]!.headers['webhook-signature'], undefined);
  });
});

describe('the faults of one endpoint', () => {
  it('do not affect another, or a notification URL', async () => {
    const { shop } = await open({ drop_first: 10, delay_s: 3_600 });
    await using other = await Receiver.start();
    await using notified = await Receiver.start();
    await created(shop.post('/webhook-endpoints', { url: other.url, events: ['payment.created'] }));
    await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: notified.url }));
    await deliver();
    assert.deepEqual(other.events, ['payment.created']);
    assert.equal(notified.events.length, 2);
  });

  it('end when the sandbox is reset', async () => {
    const { shop, receiver, ping } = await open({ delay_s: 3_600 });
    assert.equal((await shop.post('/sandbox/reset')).status, 200);
    await ping();
    await deliver();
    assert.deepEqual(receiver.events, ['ping']);
  });
});

describe('a fault that is set while deliveries are not sent yet', () => {
  /** An endpoint with three of them, in one row. */
  async function openWithUnsent() {
    const opened = await open({});
    const { id } = await opened.shop.authorized();
    await fanOutEvents(deps);
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
    await deliver();
    assert.deepEqual(receiver.events, [names[1], names[0]]);
    assert.deepEqual(await unsent(), [{ sent: 2, total: 3 }]);
    assert.deepEqual((await deliveries()).map(({ status }) => status).toSorted(), [
      'pending',
      'succeeded',
      'succeeded',
    ]);
    letPass(REORDER_WAIT_MS);
    await deliver();
    assert.deepEqual(receiver.events, [names[1], names[0], names[2]]);
    assert.deepEqual(await unsent(), []);
    for (const { id, response_body } of await deliveries()) assert.equal(response_body, id);
  });

  it('drops the first attempt of each, and the next ones arrive once', async () => {
    const { receiver, setFaults, unsent, deliveries } = await openWithUnsent();
    await setFaults({ drop_first: 1 });
    await deliver();
    assert.equal(receiver.arrivals.length, 0);
    assert.deepEqual(await unsent(), []);
    letPass(6_000);
    await deliver();
    const all = await deliveries();
    assert.deepEqual(
      receiver.arrivals.map(({ headers }) => headers['webhook-id']).toSorted(),
      all.map(({ id }) => id).toSorted(),
    );
    for (const { status, attempts } of all) assert.deepEqual([status, attempts.length], ['succeeded', 2]);
  });
});
