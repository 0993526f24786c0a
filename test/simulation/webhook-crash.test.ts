/** A process that delivers webhooks is killed (SIGKILL): no event is lost, and other receivers are not delayed. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DeliveryLoop } from '../../jobs/webhooks/delivery-loop.ts';
import { changeMerchant } from '../../services/merchants/change-merchant.ts';
import { QUEUE_LEASE_MS } from '../../services/webhooks/deliver.ts';
import { TableLock } from '../support/db/table-lock.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';
import { fanOutEvents } from '../support/run-jobs.ts';
import type { Json } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { created, Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { type Arrival, Receiver, verified } from '../support/webhooks/receiver.ts';

const env = { ALLOW_PRIVATE_DESTINATIONS: 'true' };
const service = await sharedService({ jobs: false, env });

const startWorker = () => startServiceProcess(service, { jobs: true, env });

/** Another worker does what is due. */
async function deliver(): Promise<void> {
  await fanOutEvents(service.deps);
  await new DeliveryLoop(service.deps).runToEnd();
}

/** The same until nothing is left, after the leases of killed workers. Their transactions may take a moment to end. */
async function deliverAfterLeases(): Promise<void> {
  service.setAhead(QUEUE_LEASE_MS + 1_000);
  await until('nothing is left', async () => {
    await deliver();
    const left = await service.rows(
      'select id from webhook_queues union all select event_id from event_outbox',
    );
    return left.length === 0;
  });
  service.setAhead(0);
}

async function isQueueEmpty(id: string): Promise<boolean> {
  return (await service.rows('select 1 from webhook_queues where id = :id', { id })).length === 0;
}

async function addReceiver(shop: Shop) {
  const receiver = await Receiver.start();
  after(() => receiver[Symbol.asyncDispose]());
  const body = { url: receiver.url, events: ['*'] };
  return { receiver, endpoint: await created(shop.post('/webhook-endpoints', body)) };
}

/** Fails unless the receiver got every event of the shop, each under one delivery id, and all deliveries succeeded. */
async function assertAllArrived(shop: Shop, { arrivals }: Receiver, secret: string): Promise<void> {
  const events: Json[] = (await shop.get('/events?per_page=100')).data;
  const ids = new Map<string, Set<unknown>>();
  for (const arrival of arrivals) {
    const { id } = verified(secret, arrival);
    ids.set(id, (ids.get(id) ?? new Set()).add(arrival.headers['x-service-delivery']));
  }
  assert.deepEqual([...ids.keys()].sort(), events.map(({ id }) => id).sort());
  for (const [event, deliveries] of ids) assert.equal(deliveries.size, 1, `event ${event}`);
  const { data } = await shop.get('/webhook-deliveries?per_page=100');
  assert.deepEqual([...new Set(data.map(({ status }: Json) => status))], ['succeeded']);
}

/**
 * Starts a worker, makes a change, and kills the worker after an answer of the receiver, while the statement with
 * `part` is to record it. The receiver answers 500 to the first requests, `failures` of them.
 */
async function killBeforeRecorded(
  receiver: Receiver,
  change: () => Promise<unknown>,
  part: string,
  failures = 0,
): Promise<void> {
  const locked = Promise.withResolvers<TableLock>();
  receiver.answer = (_, response) => {
    if (receiver.arrivals.length <= failures) {
      response.writeHead(500).end();
      return;
    }
    receiver.answer = (_again, next) => next.end();
    TableLock.take(service.databaseUrl, 'webhook_deliveries').then((lock) => {
      locked.resolve(lock);
      response.end();
    }, locked.reject);
  };
  const worker = await startWorker();
  await change();
  await using lock = await locked.promise;
  await lock.untilBlocks(part);
  await worker.kill();
  await lock.endWaiting();
}

/** Attempts of deliveries that have rows of their own, unlike the first attempt to an endpoint. */
const ATTEMPTS_WITH_ROWS = [
  {
    what: 'a retry',
    failures: 1,
    async change(shop: Shop, url: string): Promise<void> {
      await created(shop.post('/webhook-endpoints', { url, events: ['payment.created'] }));
      await shop.pixPayment();
    },
  },
  {
    what: 'a delivery to a notification URL',
    failures: 0,
    async change(shop: Shop, url: string): Promise<void> {
      await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: url }));
    },
  },
];

describe('a worker that is killed', () => {
  it('while it fans out leaves the events to another', async () => {
    const shop = await Shop.open(service);
    const { receiver, endpoint } = await addReceiver(shop);
    await using lock = await TableLock.take(service.databaseUrl, 'event_positions');
    const worker = await startWorker();
    await shop.pixPayment();
    await lock.untilBlocks('insert into event_positions');
    await worker.kill();
    await lock.endWaiting();
    await lock[Symbol.asyncDispose]();
    assert.deepEqual(receiver.events, []);
    await deliver();
    assert.equal(receiver.arrivals.length, 2, 'each event once');
    await assertAllArrived(shop, receiver, endpoint.secret);
  });

  it('while a receiver works on a delivery delays no other receiver, and the delivery is sent again', async () => {
    const shop = await Shop.open(service);
    const { receiver: stalled, endpoint } = await addReceiver(shop);
    const other = await addReceiver(shop);
    stalled.answer = () => {};
    const worker = await startWorker();
    await shop.pixPayment();
    await until('the stalled one is called', () => stalled.arrivals.length === 2);
    await until('the other one has all', () => isQueueEmpty(other.endpoint.id));
    await worker.kill();
    stalled.answer = (_, response) => response.end();

    await shop.pixPayment();
    await deliver();
    assert.equal(other.receiver.arrivals.length, 4, 'at once');
    assert.equal(stalled.arrivals.length, 2, 'under the lease of the killed worker');
    await deliverAfterLeases();
    assert.equal(stalled.arrivals.length, 6);
    await assertAllArrived(shop, stalled, endpoint.secret);
    await assertAllArrived(shop, other.receiver, other.endpoint.secret);
  });

  it('after the answer of a receiver, before it is recorded, sends the delivery again', async () => {
    const shop = await Shop.open(service);
    const { receiver, endpoint } = await addReceiver(shop);
    await killBeforeRecorded(receiver, () => shop.pixPayment(), 'insert into webhook_deliveries');
    const before = receiver.arrivals.length;
    await deliverAfterLeases();
    assert.equal(receiver.arrivals.length, before + 2);
    await assertAllArrived(shop, receiver, endpoint.secret);
  });

  for (const { what, failures, change } of ATTEMPTS_WITH_ROWS) {
    it(`after the answer to ${what}, before it is recorded, sends it again`, async () => {
      const shop = await Shop.open(service);
      await changeMerchant(service.deps, shop.account, { webhookRetries_ms: [100, 100] });
      await using receiver = await Receiver.start();
      await killBeforeRecorded(
        receiver,
        () => change(shop, receiver.url),
        'update webhook_deliveries',
        failures,
      );
      const before = receiver.arrivals.length;
      await deliverAfterLeases();
      assert.ok(receiver.arrivals.length > before, 'what was not recorded is sent again');
      const { data } = await shop.get('/webhook-deliveries');
      assert.ok(data.every(({ status }: Json) => status === 'succeeded'));
      const idsOf = (arrivals: readonly Arrival[]) => [
        ...new Set(arrivals.map(({ headers }) => headers['x-service-delivery'])),
      ];
      assert.deepEqual(idsOf(receiver.arrivals).toSorted(), data.map(({ id }: Json) => id).toSorted());
      assert.equal(data.at(-1).attempts.length, failures + 1);
    });
  }

  it('in a batch, of which some have arrived, sends that batch again, and none that was recorded before', async () => {
    const shop = await Shop.open(service);
    const { receiver, endpoint } = await addReceiver(shop);
    const [recorded, answered, all] = [16, 18, 20];
    for (let i = 0; i < all / 2; i += 1) await shop.pixPayment();
    await fanOutEvents(service.deps);
    receiver.answer = (_, response) => {
      if (receiver.arrivals.length <= answered) response.end();
    };
    const worker = await startWorker();
    await until('all have arrived', () => receiver.arrivals.length === all);
    await worker.kill();
    const rows = await service.rows('select sent, total from unsent_webhook_deliveries');
    assert.deepEqual(rows, [{ sent: recorded, total: all }]);
    receiver.answer = (_, response) => response.end();
    await deliverAfterLeases();
    const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids.slice(all).toSorted(), ids.slice(recorded, all).toSorted());
    await assertAllArrived(shop, receiver, endpoint.secret);
  });

  it('one after the other, while events of many merchants go out, loses none', async () => {
    const shops = await Promise.all(Array.from({ length: 5 }, () => Shop.open(service)));
    const targets = await Promise.all(shops.map(async (shop) => ({ shop, ...(await addReceiver(shop)) })));
    const arrived = () => targets.reduce((sum, { receiver }) => sum + receiver.arrivals.length, 0);
    const workers: ServiceProcess[] = await Promise.all([startWorker(), startWorker()]);
    const placing = Promise.all(shops.flatMap((shop) => Array.from({ length: 8 }, () => shop.pixPayment())));
    for (const [place, worker] of workers.entries()) {
      // The worker that was killed can have leased all queues.
      await until('some have arrived', () => arrived() > place * 20, 2 * QUEUE_LEASE_MS);
      await worker.kill();
    }
    await placing;
    await deliverAfterLeases();
    for (const { shop, receiver, endpoint } of targets) {
      await assertAllArrived(shop, receiver, endpoint.secret);
    }
  });
});
