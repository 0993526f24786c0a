/** GET /events with `after`: the events in an order in which none is skipped. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Client } from 'pg';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { type Json, startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const service = await sharedService({ jobs: false });

async function read(shop: Shop, after: string | null, query = '') {
  const { data, pagination } = await shop.get(`/events?after=${after ?? ''}${query}`);
  return { ids: data.map(({ id }: Json) => id) as string[], ...pagination };
}

/** A transaction that has written an event, a copy of another one, and is not committed. */
async function slowTransaction(eventId: string) {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('begin');
  const id = randomUUID();
  await client.query(
    `with written as (
       insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
       select slot, merchant_id, $1, event, object_type, object_id, payment_id, data, created_at from events where id = $2
       returning slot, merchant_id, id)
     insert into event_outbox (slot, merchant_id, event_id) select slot, merchant_id, id from written`,
    [id, eventId],
  );
  const commit = async () => {
    await client.query('commit');
    await client.end();
  };
  return { id, commit };
}

describe('reading events after one', () => {
  it('starts with the oldest, goes on page by page, and then with new ones', async () => {
    const shop = await Shop.open(service);
    assert.deepEqual(await read(shop, null), {
      ids: [],
      per_page: 20,
      has_more: false,
      next_cursor: null,
      next_after: null,
    });
    for (let i = 0; i < 3; i += 1) await shop.pixPayment();
    await fanOutEvents(service.deps);
    const newestFirst: string[] = (await shop.get('/events')).data.map(({ id }: Json) => id);
    const first = await read(shop, null, '&per_page=4');
    assert.deepEqual([first.ids.length, first.has_more, first.next_after], [4, true, first.ids[3]]);
    const second = await read(shop, first.next_after, '&per_page=4');
    assert.deepEqual([second.ids.length, second.has_more], [2, false]);
    assert.deepEqual([...first.ids, ...second.ids], newestFirst.toReversed());
    const empty = await read(shop, second.next_after);
    assert.deepEqual([empty.ids, empty.next_after], [[], second.next_after]);
  });

  it('skips none of transactions that commit in another order than they began', async () => {
    const shop = await Shop.open(service);
    await shop.pixPayment();
    await fanOutEvents(service.deps);
    const seen = (await read(shop, null)).ids;
    const slow = await Promise.all([1, 2, 3].map(() => slowTransaction(seen[0]!)));
    for (const { commit } of slow.toReversed()) {
      await shop.pixPayment();
      await fanOutEvents(service.deps);
      seen.push(...(await read(shop, seen.at(-1)!)).ids);
      await commit();
    }
    await fanOutEvents(service.deps);
    seen.push(...(await read(shop, seen.at(-1)!)).ids);
    const all: string[] = (await shop.get('/events?per_page=100')).data.map(({ id }: Json) => id);
    assert.deepEqual(seen.toSorted(), all.toSorted(), 'each event once');
    assert.ok(slow.every(({ id }) => seen.includes(id)));
  });

  it('skips none that commits after the list was read, when it starts where the list says', async () => {
    const shop = await Shop.open(service);
    const list = (query = '') => shop.get(`/events?per_page=1${query}`);
    assert.equal((await list()).pagination.next_after, null);
    await shop.pixPayment();
    assert.equal((await list()).pagination.next_after, null, 'no event has a position');
    await fanOutEvents(service.deps);
    const [last] = (await shop.get('/events')).data;
    const slow = await slowTransaction(last.id);
    await shop.pixPayment();
    const { data, pagination } = await list();
    assert.notEqual(data[0].id, last.id);
    assert.equal(pagination.next_after, last.id);
    await slow.commit();
    await fanOutEvents(service.deps);
    const { ids } = await read(shop, pagination.next_after);
    assert.equal(ids.length, 3);
    assert.ok(ids.includes(slow.id));
    const older = await list(`&cursor=${pagination.next_cursor}`);
    assert.equal(older.pagination.next_after, null, 'only the first page says where to start');
  });

  it('takes an event that has no position yet, and returns what follows it later', async () => {
    const shop = await Shop.open(service);
    await shop.pixPayment();
    const [newest] = (await shop.get('/events')).data;
    assert.deepEqual((await read(shop, newest.id)).ids, []);
    await shop.pixPayment();
    await fanOutEvents(service.deps);
    assert.equal((await read(shop, newest.id)).ids.length, 2);
  });

  it('reads those of one object, from the place in the feed of any event', async () => {
    const shop = await Shop.open(service);
    const first = await shop.pixPayment();
    const own = await shop.authorized();
    await fanOutEvents(service.deps);
    const ofObject = `&object_id=${own.id}`;
    const page = await read(shop, null, `${ofObject}&per_page=2`);
    const rest = await read(shop, page.next_after, ofObject);
    assert.deepEqual([page.has_more, rest.has_more], [true, false]);
    const events: Json[] = (await shop.events(own.id)).map(({ id }: Json) => id);
    assert.deepEqual([...page.ids, ...rest.ids], events);
    const none = await read(shop, rest.next_after, ofObject);
    assert.deepEqual([none.ids, none.next_after], [[], rest.next_after]);

    const [otherEvent] = await shop.events(first.id);
    assert.deepEqual(
      (await read(shop, otherEvent.id, ofObject)).ids,
      events,
      'after an event of another object',
    );
    assert.deepEqual((await read(shop, null, `&object_id=${UNKNOWN_ID}`)).ids, []);
    await shop.pixPayment();
    await shop.capture(own.id);
    await fanOutEvents(service.deps);
    const [captured, ...others] = (await read(shop, rest.next_after, ofObject)).ids;
    assert.deepEqual([captured, others], [(await shop.events(own.id)).at(-1)!.id, []]);
  });

  it('refuses an event that does not exist, one of another merchant, and other filters', async () => {
    const shop = await Shop.open(service);
    await shop.pixPayment();
    const [{ id }] = (await shop.get('/events')).data;
    const other = await Shop.open(service);
    for (const after of [UNKNOWN_ID, id, 'x']) {
      assertRefused(await other.call('GET', `/events?after=${after}`), 'after');
    }
    assertRefused(await shop.call('GET', '/events?after=&event=payment.created&cursor=x'), 'cursor', 'event');
    assertRefused(await shop.call('GET', '/events?wait=1'), 'wait');
    assertRefused(await shop.call('GET', '/events?after=&wait=31'), 'wait');
  });
});

describe('a request that waits for events', () => {
  it('is answered when an event exists, and does not delay other requests until then', async () => {
    const shop = await Shop.open(service);
    const waiting = Array.from({ length: 10 }, () => read(shop, null, '&wait=30'));
    await until('all wait', () => service.deps.upstreamCalls.inFlight(shop.account) === 10);
    const refused = await shop.call('GET', '/events?after=&wait=30');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    await shop.pixPayment();
    await fanOutEvents(service.deps);
    for (const { ids } of await Promise.all(waiting)) assert.equal(ids.length, 2);
    assert.equal(service.deps.upstreamCalls.inFlight(shop.account), 0);
  });

  it('ends when its client disconnects, so that another one can wait', async () => {
    const shop = await Shop.open(service);
    const clients = Array.from({ length: 10 }, () => new AbortController());
    const waiting = clients.map(({ signal }) =>
      fetch(`${service.url}/api/v1/events?after=&wait=30`, {
        headers: { authorization: `Bearer ${shop.onboarded.apiKey}` },
        signal,
      }),
    );
    await until('all wait', () => service.deps.upstreamCalls.inFlight(shop.account) === 10);
    clients[0]!.abort();
    await assert.rejects(waiting[0]!, { name: 'AbortError' });
    const another = () => shop.call('GET', '/events?after=&wait=1');
    await until('another one can wait', async () => (await another()).status === 200);
    for (const client of clients) client.abort();
    await Promise.allSettled(waiting);
    await until('all have ended', () => service.deps.upstreamCalls.inFlight(shop.account) === 0);
  });

  it('is answered at once when the service stops', async () => {
    const stopping = await startTestService({ beside: service, jobs: false });
    const shop = new Shop(stopping, (await Shop.open(service)).onboarded);
    const waiting = read(shop, null, '&wait=30');
    await until('it waits', () => stopping.deps.upstreamCalls.inFlight(shop.account) === 1);
    const begun = performance.now();
    await stopping.stop();
    assert.deepEqual((await waiting).ids, []);
    assert.ok(performance.now() - begun < 10_000);
  });

  it('is answered without one after the time that it asked for', async () => {
    const shop = await Shop.open(service);
    const begun = performance.now();
    assert.deepEqual((await read(shop, null, '&wait=1')).ids, []);
    assert.ok(performance.now() - begun >= 1_000);
  });
});
