/** Names that get a private address after they were accepted: no connection is made. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { fanOutEvents, fetchDueLogos } from '../../support/run-jobs.ts';
import type { TestService } from '../../support/service.ts';
import { created, type Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';
import {
  forEach,
  HostileNames,
  LONE_NAMES,
  NAMES,
  NOT_PUBLIC,
} from '../../support/webhooks/hostile-names.ts';

const ENDPOINTS = 20;

let hostile: HostileNames;
let service: TestService;
let shop: Shop;
before(async () => {
  hostile = await HostileNames.start();
  ({ service, shop } = hostile);
});
after(() => hostile[Symbol.asyncDispose]());

describe('a name that gets a private address after it was accepted', () => {
  async function deliver(): Promise<void> {
    await fanOutEvents(service.deps);
    hostile.isHostile = true;
    await new DeliveryLoop(service.deps).runToEnd();
    hostile.isHostile = false;
  }

  /** Errors of the deliveries to each host. */
  async function failures(): Promise<Map<string, Set<string | null>>> {
    const rows = await service.rows<{ url: string; error_code: string | null; error_message: string | null }>(
      'select url, error_code, error_message from webhook_deliveries where merchant_id = :account',
      { account: shop.account },
    );
    const found = new Map<string, Set<string | null>>();
    for (const { url, error_code, error_message } of rows) {
      const host = new URL(url).hostname;
      found.set(host, (found.get(host) ?? new Set()).add(`${error_code}: ${error_message}`));
    }
    return found;
  }

  const BLOCKED = new Set([`blocked_destination: ${NOT_PUBLIC}`]);

  it('gets no connection as the URL of an endpoint', async () => {
    hostile.isHostile = false;
    const ids: string[] = [];
    while (ids.length < ENDPOINTS) {
      const body = { url: hostile.urlOf('public.example'), events: ['payment.refunded'] };
      ids.push((await created(shop.post('/webhook-endpoints', body))).id);
    }
    const hosts = [...NAMES.keys()];
    for (let at = 0; at < hosts.length; at += ENDPOINTS) {
      await forEach(hosts.slice(at, at + ENDPOINTS).entries(), async ([i, host]) => {
        const path = `/webhook-endpoints/${ids[i]}`;
        assert.equal(
          (await shop.call('PUT', path, { body: { url: hostile.urlOf(host) } })).status,
          200,
          host,
        );
        await created(shop.post(`${path}/ping`));
      });
      await deliver();
    }
    const found = await failures();
    for (const host of hosts) assert.deepEqual(found.get(host), BLOCKED, host);
    for (const id of ids) await shop.call('DELETE', `/webhook-endpoints/${id}`);
  });

  it('gets no connection as the notification_url of an order', async () => {
    hostile.isHostile = false;
    const before = await service.rows('select 1 from webhook_deliveries where endpoint_id is null');
    assert.equal(before.length, 0);
    await forEach(LONE_NAMES, async (host) => {
      await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: hostile.urlOf(host) }));
    });
    await deliver();
    const found = await failures();
    for (const host of LONE_NAMES) assert.deepEqual(found.get(host), BLOCKED, host);
    const sent = await service.rows('select 1 from webhook_deliveries where endpoint_id is null');
    assert.equal(sent.length, 2 * LONE_NAMES.length);
  });

  it('gets no connection as the notification_url of a link', async () => {
    hostile.isHostile = false;
    const page = await CheckoutPage.ofLink(shop);
    const hosts = LONE_NAMES.slice(0, 20);
    const ofHosts = () =>
      service.rows('select 1 from webhook_deliveries where endpoint_id is null and url = any(:urls)', {
        urls: hosts.map((host) => hostile.urlOf(host)),
      });
    const earlier = (await ofHosts()).length;
    for (const host of hosts) {
      const body = { notification_url: hostile.urlOf(host) };
      assert.equal((await shop.call('PUT', `/payment-links/${page.id}`, { body })).status, 200);
      await page.paid(pixBody());
      await fanOutEvents(service.deps);
    }
    await deliver();
    const found = await failures();
    for (const host of hosts) assert.deepEqual(found.get(host), BLOCKED, host);
    assert.equal((await ofHosts()).length - earlier, 2 * hosts.length);
  });

  it('gets no connection as the notification_url of a subscription', async () => {
    hostile.isHostile = false;
    const hosts = LONE_NAMES.slice(0, 5);
    const ofSubscriptions = () =>
      service.rows<{ url: string }>(
        `select url from webhook_deliveries
          where endpoint_id is null and event like 'subscription.%' and error_code = 'blocked_destination'`,
      );
    await forEach(hosts, async (host) => {
      await subscribed(shop, { notification_url: hostile.urlOf(host) });
    });
    // A host that fails gets a few deliveries in each run, and then a pause.
    await deliver();
    service.setAhead(5_000);
    await deliver();
    const found = await failures();
    for (const host of hosts) assert.deepEqual(found.get(host), BLOCKED, host);
    assert.deepEqual(
      new Set((await ofSubscriptions()).map(({ url }) => url)),
      new Set(hosts.map((host) => hostile.urlOf(host))),
    );
  });
});

it('a logo at a name with a private address gets no connection, and the page has no logo', async () => {
  hostile.isHostile = true;
  const hosts = [...NAMES.keys()];
  const links = await Promise.all(
    hosts.map((host) => created(shop.post('/payment-links', linkBody({ logo_url: hostile.urlOf(host) })))),
  );
  assert.equal(await fetchDueLogos(service.deps), hosts.length);
  for (const { hash } of links.slice(0, 20)) {
    const { body } = await shop.call('GET', `/checkout/${hash}`, { key: null });
    assert.equal(body.logo_url, null);
  }
  const problems = service.log.filter(({ message }) => message === 'logo not fetched');
  assert.equal(problems.length, hosts.length);
  for (const { fields } of problems) assert.equal(fields.problem, 'blocked_destination');
});

it('all of this made no connection', () => assert.equal(hostile.listener.connections, 0));
