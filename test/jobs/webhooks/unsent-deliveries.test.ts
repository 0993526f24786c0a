/** Deliveries before their first attempt, which have no row of their own yet: merchants see no difference. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findDelivery, listDeliveries, lockDelivery } from '../../../db/webhooks/deliveries.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { assertRefused, type Shop } from '../../support/shop.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';

const { service, loop, open, deliver, letPass } = await startDeliveringService();
const { deps } = service;

/**
 * An endpoint with sent deliveries, and as many that are not sent yet: `payment.created` and `payment.updated` of each.
 */
async function half(payments = 3) {
  const opened = await open();
  const pay = async () => {
    for (let i = 0; i < payments; i += 1) await opened.shop.pixPayment();
    await fanOutEvents(deps);
  };
  await pay();
  await loop.runToEnd();
  letPass(1_000);
  await pay();
  return opened;
}

const unsentRows = (shop: Shop) =>
  service.rows<{ sent: number; total: number }>(
    'select sent, total from unsent_webhook_deliveries where merchant_id = :account',
    { account: shop.account },
  );

describe('a delivery that is not sent yet', () => {
  it('is written once, with its first result', async () => {
    const { shop, receiver } = await open();
    await shop.pixPayment();
    const { db, statements } = recordStatements(deps.db);
    await fanOutEvents({ ...deps, db });
    await new DeliveryLoop({ ...deps, db }).runToEnd();
    assert.equal(receiver.arrivals.length, 2);
    const writes = statements.filter((sql) => /\b(insert into|update) webhook_deliveries\b/.test(sql));
    assert.equal(writes.length, 1);
    assert.deepEqual(await unsentRows(shop), []);
  });

  it('gets its own result, also in a batch with the deliveries of several fan-outs', async () => {
    const { shop, receiver, deliveries } = await half(2);
    await shop.pixPayment();
    await fanOutEvents(deps);
    assert.equal((await unsentRows(shop)).length, 2);
    const before = receiver.arrivals.length;
    receiver.answer = ({ headers }, response) => {
      const isLast = receiver.arrivals.length === before + 6;
      response.writeHead(isLast ? 500 : 200).end(headers['x-service-delivery']);
    };
    await loop.round();
    await loop.settled();
    const sent = (await deliveries()).slice(0, 6);
    assert.equal(sent.filter(({ status }) => status === 'succeeded').length, 5);
    for (const { id, event_id, response_body } of sent) {
      assert.equal(response_body, id);
      assert.deepEqual(
        (await deliveries(`&event_id=${event_id}`)).map((delivery) => delivery.id),
        [id],
      );
    }
  });

  it('is listed as pending, before those that were sent, and on any page', async () => {
    const { shop, endpoint, deliveries } = await half();
    assert.deepEqual(await unsentRows(shop), [{ sent: 0, total: 6 }]);
    const all = await deliveries();
    assert.deepEqual(
      all.map(({ status }) => status),
      [...Array(6).fill('pending'), ...Array(6).fill('succeeded')],
    );
    const [first] = all;
    assert.deepEqual(
      { ...first, id: '', event_id: '', event: '' },
      {
        id: '',
        endpoint_id: endpoint.id,
        url: endpoint.url,
        event: '',
        event_id: '',
        status: 'pending',
        error: null,
        next_attempt_at: first!.created_at,
        attempts: [],
        response_body: null,
        created_at: first!.created_at,
      },
    );
    const paged: Json[] = [];
    for (let cursor = ''; ; ) {
      const { data, pagination } = await shop.get(`/webhook-deliveries?per_page=4${cursor}`);
      paged.push(...data);
      if (!pagination.has_more) break;
      cursor = `&cursor=${pagination.next_cursor}`;
    }
    assert.deepEqual(paged, all);
  });

  it('is found by its id and by each filter', async () => {
    const { shop, deliveries } = await half();
    const [pending] = await deliveries('&status=pending');
    assert.deepEqual(await shop.get(`/webhook-deliveries/${pending!.id}`), pending);
    assert.deepEqual(await deliveries(`&event_id=${pending!.event_id}`), [pending]);
    assert.equal((await deliveries('&status=pending&event=payment.created')).length, 3);
    assert.equal((await deliveries('&status=succeeded')).length, 6);
    assert.equal((await deliveries(`&created_from=${pending!.created_at}`)).length, 6);
    assert.equal((await shop.call('GET', `/webhook-deliveries/${pending!.event_id}`)).status, 404);
  });

  it('can be requested again, and arrives once', async () => {
    const { shop, receiver, deliveries } = await half(1);
    const [pending] = await deliveries('&status=pending');
    const again = await shop.post(`/webhook-deliveries/${pending!.id}/redeliver`);
    assert.deepEqual([again.status, again.body.id, again.body.status], [200, pending!.id, 'pending']);
    await deliver();
    const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
    assert.equal(ids.filter((id) => id === pending!.id).length, 1);
    assert.equal((await shop.get(`/webhook-deliveries/${pending!.id}`)).status, 'succeeded');
  });

  it('fails if its event was deleted', async () => {
    const { shop, receiver, deliveries } = await open();
    await shop.pixPayment();
    await fanOutEvents(deps);
    await service.rows('delete from events where merchant_id = :account', { account: shop.account });
    await loop.runToEnd();
    const all = await deliveries();
    assert.deepEqual(
      all.map(({ status, error, attempts }) => [status, error.code, attempts]),
      [
        ['failed', 'event_deleted', []],
        ['failed', 'event_deleted', []],
      ],
    );
    assert.deepEqual(receiver.events, []);
  });

  it('fails if its endpoint is disabled or deleted', async () => {
    for (const [method, code, body] of [
      ['DELETE', 'endpoint_deleted', undefined],
      ['PUT', 'endpoint_disabled', { status: 'disabled' }],
    ] as const) {
      const { shop, receiver, deliveries, path } = await half(1);
      const before = receiver.arrivals.length;
      await shop.call(method, path, body === undefined ? {} : { body });
      const [pending] = await deliveries('&status=pending');
      assertRefused(await shop.post(`/webhook-deliveries/${pending!.id}/redeliver`), 'status');
      await deliver();
      const failed = await deliveries('&status=failed');
      assert.deepEqual(
        failed.map(({ error, next_attempt_at, attempts }) => [error.code, next_attempt_at, attempts]),
        [
          [code, null, []],
          [code, null, []],
        ],
      );
      assert.equal(receiver.arrivals.length, before);
      assert.deepEqual(await unsentRows(shop), []);
    }
  });
});

describe('when an attempt of a batch fails', () => {
  it('those after it stay unsent, and all arrive once, under the same ids', async () => {
    const { shop, receiver, deliveries } = await open();
    for (let i = 0; i < 10; i += 1) await shop.pixPayment();
    await fanOutEvents(deps);
    const ids = (await deliveries('&per_page=100')).map(({ id }) => id).sort();
    receiver.answer = (_, response) => response.writeHead(receiver.arrivals.length === 3 ? 500 : 200).end();
    await loop.runToEnd();
    assert.deepEqual(await unsentRows(shop), []);
    letPass(6_000);
    await deliver();
    const arrived = receiver.arrivals.map(({ headers }) => String(headers['webhook-id']));
    assert.equal(arrived.length, 21);
    assert.deepEqual([...new Set(arrived)].sort(), ids);
    const all = await deliveries('&per_page=100');
    assert.deepEqual(all.map(({ id }) => id).sort(), ids);
    assert.deepEqual([...new Set(all.map(({ status }) => status))], ['succeeded']);
    const attempts = all.map((each) => each.attempts.length).filter((count) => count > 1);
    assert.deepEqual(attempts, [2]);
  });

  it('the next events of its endpoint get their rows at once', async () => {
    const { shop, receiver, deliveries } = await open();
    receiver.answer = (_, response) => response.writeHead(500).end();
    await shop.pixPayment();
    await deliver();
    await shop.pixPayment();
    await fanOutEvents(deps);
    assert.deepEqual(await unsentRows(shop), []);
    assert.equal((await deliveries('&status=pending')).length, 4);
  });
});

it('a delivery that is sent between the statements of its lock is found', async () => {
  const { shop, deliveries } = await half(1);
  const { id } = (await deliveries('&status=pending'))[0]!;
  const { merchant } = shop.onboarded;
  let locks = 0;
  const locked = await deps.db.transaction(merchant, (tx) => {
    const maybeOne: typeof tx.maybeOne = async (scope, sql, params) => {
      locks += 1;
      if (locks === 2) await loop.runToEnd();
      return tx.maybeOne(scope, sql, params);
    };
    return lockDelivery({ ...tx, maybeOne }, merchant, id);
  });
  assert.deepEqual([locked?.id, locked?.status, locks], [id, 'succeeded', 3]);
});

it('the deliveries of an event are found by the time of its fan-out, sent or not', async () => {
  const { shop, deliveries } = await half(1);
  const { merchant } = shop.onboarded;
  const page = { perPage: 20, after: null, createdFrom: null, createdBefore: null };
  for (const { id, event_id: eventId } of await deliveries()) {
    const { db, statements } = recordStatements(deps.db);
    const found = await listDeliveries(db, merchant, { eventId }, page);
    assert.deepEqual(
      found.items.map((delivery) => delivery.id),
      [id],
    );
    const params = { by_event_id: eventId, limit: 21 };
    const plans = statements.map(async (sql) => {
      const lines = await deps.db.rows<{ 'QUERY PLAN': string }>(merchant, `explain ${sql}`, params);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });
    const [unsent, sent] = await Promise.all(plans);
    assert.match(unsent!, /Index Cond: .*created_at = /);
    assert.match(sent!, /Index Cond: .*id >= .*id < /);
  }
});

it('rows without an event are not taken apart for the deliveries of this event', async () => {
  const { shop, deliveries } = await half(1);
  const { merchant } = shop.onboarded;
  const page = { perPage: 20, after: null, createdFrom: null, createdBefore: null };
  for (const [event, wanted] of [
    ['payment.refunded', /Function Scan on d .*never executed/],
    ['payment.created', /Function Scan on d .*loops=\d/],
  ] as const) {
    const { db, statements } = recordStatements(deps.db);
    await listDeliveries(db, merchant, { event }, page);
    const sql = `explain analyze ${statements[0]}`;
    const params = { by_event: event, limit: 21 };
    const lines = await deps.db.rows<{ 'QUERY PLAN': string }>(merchant, sql, params);
    assert.match(lines.map((line) => line['QUERY PLAN']).join('\n'), wanted);
  }
  assert.equal((await deliveries('&status=pending&event=payment.refunded')).length, 0);
  assert.ok((await deliveries('&status=pending&event=payment.created')).length > 0);
});

it('a delivery is found by its id without reading the other unsent rows of its merchant', async () => {
  const { shop, deliveries } = await half(1);
  const [pending] = await deliveries('&status=pending');
  const [row] = await service.rows<{ slot: number }>(
    `insert into unsent_webhook_deliveries (slot, merchant_id, queue_id, id, url, delivery_ids, event_ids, events, total,
       created_at)
     select slot, merchant_id, queue_id, gen_random_uuid(), url, array[gen_random_uuid()], array[gen_random_uuid()],
            array['payment.created'], 1, created_at + n * interval '1 second'
       from unsent_webhook_deliveries, generate_series(1, 2500) n where merchant_id = :account returning slot`,
    { account: shop.account },
  );
  await service.rows('analyze unsent_webhook_deliveries');
  const scope = { slot: row!.slot, merchantId: shop.account };
  const { db, statements } = recordStatements(deps.db);
  assert.equal((await findDelivery(db, scope, pending!.id))?.id, pending!.id);
  const locked = await db.transaction(scope, (tx) => lockDelivery(tx, scope, pending!.id));
  assert.equal(locked?.id, pending!.id);
  const reads = statements.filter((sql) => sql.includes('unsent_webhook_deliveries'));
  assert.equal(reads.length, 2);
  for (const sql of reads) {
    const params = { id: pending!.id, created_at: new Date(pending!.created_at) };
    const lines = await deps.db.rows<{ 'QUERY PLAN': string }>(scope, `explain ${sql}`, params);
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(plan, /created_at = /, plan);
    assert.match(plan, /unsent_webhook_deliveries_newest/, plan);
  }
});
