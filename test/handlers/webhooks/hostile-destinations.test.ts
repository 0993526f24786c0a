/** Hostile URLs and names in every field that takes an address of a merchant's server: no connection is made. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fetchDueLogos } from '../../../jobs/links/logos.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../../../jobs/webhooks/fan-out.ts';
import { HostLookups, MAX_LOOKUPS_PER_MERCHANT } from '../../../services/host-lookups.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import type { Outgoing, OutgoingResult } from '../../../services/outgoing.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { CheckoutPage, pixBody } from '../../support/checkout-page.ts';
import { linkBody } from '../../support/link-bodies.ts';
import { Listener } from '../../support/listener.ts';
import { NameServer } from '../../support/name-server.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { validateSession, verifiedDomain } from '../../support/wallet-shop.ts';
import destinations from '../../vectors/destinations.json' with { type: 'json' };

const URLS = Object.entries(destinations.refused as Record<string, string[]>).flatMap(([sentence, urls]) =>
  urls.map((url) => ({ sentence, url })),
);
const PUBLIC = ['203.0.114.7', '2606:4700::1111'];

/** Names with a private address: alone, before public ones, and after them. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  destinations.privateAddresses.flatMap((address, number): [string, string[]][] => [
    [`alone-${number}.example`, [address]],
    [`first-${number}.example`, [address, ...PUBLIC]],
    [`last-${number}.example`, [...PUBLIC, address]],
  ]),
);
/** One for each address. All fields are checked by the same function, so only one field is tested with all names. */
const LONE_NAMES = [...NAMES.keys()].filter((name) => name.startsWith('alone-'));
const NOT_PUBLIC = 'Must resolve to public addresses only.';
const AT_ONCE = MAX_LOOKUPS_PER_MERCHANT - 1;
const ENDPOINTS = 20;

/** Whether the name server gives the private addresses. Otherwise it gives public ones. */
let isHostile = true;
let names: NameServer;
let listener: Listener;
let service: TestService;
let shop: Shop;
let endpointId: string;
let linkId: string;
before(async () => {
  names = await NameServer.start((host) => (isHostile ? NAMES.get(host) : PUBLIC) ?? null);
  listener = await Listener.start();
  const lookups = { servers: [names.address], timeout_ms: 10_000 };
  service = await startTestService({
    jobs: false,
    overrides: {
      hostLookups: new HostLookups(lookups),
      outgoing: new OutgoingCalls({ allowPrivate: false, lookups }),
    },
  });
  shop = await Shop.open(service);
  // One attempt for each delivery.
  await changeMerchant(service.deps, shop.account, { rateLimitPerMinute: 1_000_000, webhookRetries_ms: [] });
  const url = 'https://loja.invalid/hook';
  endpointId = (await created(shop.post('/webhook-endpoints', { url, events: ['*'] }))).id;
  linkId = (await created(shop.post('/payment-links', linkBody()))).id;
});
after(async () => {
  await service.stop();
  await listener[Symbol.asyncDispose]();
  await names[Symbol.asyncDispose]();
});

interface Entry {
  readonly field: string;
  /** Characters. Absent if each hostile URL is shorter than the limit. */
  readonly maxLength?: number;
  readonly send: (url: string) => Promise<TestAnswer>;
}

const NOTIFICATIONS: Readonly<Record<string, Entry>> = {
  'a new endpoint': {
    field: 'url',
    send: (url) => shop.post('/webhook-endpoints', { url, events: ['*'] }),
  },
  'an endpoint': {
    field: 'url',
    send: (url) => shop.call('PUT', `/webhook-endpoints/${endpointId}`, { body: { url } }),
  },
  'an order': {
    field: 'notification_url',
    send: (url) => shop.order(shop.pixOrderBody(5_000, undefined, { notification_url: url })),
  },
  'a new link': {
    field: 'notification_url',
    send: (url) => shop.post('/payment-links', linkBody({ notification_url: url })),
  },
  'a link': {
    field: 'notification_url',
    send: (url) => shop.call('PUT', `/payment-links/${linkId}`, { body: { notification_url: url } }),
  },
};
/** Its host is looked up when the logo is fetched, not when it is set. */
const LOGOS: Readonly<Record<string, Entry>> = {
  'a new link': {
    field: 'logo_url',
    maxLength: 255,
    send: (url) => shop.post('/payment-links', linkBody({ logo_url: url })),
  },
  'a link': {
    field: 'logo_url',
    maxLength: 255,
    send: (url) => shop.call('PUT', `/payment-links/${linkId}`, { body: { logo_url: url } }),
  },
};

/** Runs `work` for each item, a few at a time. */
async function forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const rest = [...items].values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function assertSentence(entry: Entry, url: string, sentence: string): Promise<void> {
  const { field, maxLength = Number.POSITIVE_INFINITY, send } = entry;
  const expected = url.length > maxLength ? `Must have at most ${maxLength} characters.` : sentence;
  const { status, body } = await send(url);
  assert.deepEqual([status, body.errors], [422, { [field]: [expected] }], url);
}

const urlOf = (name: string) => `https://${name}:${listener.port}/hook`;

it('there are more than 600 hostile URLs and 350 hostile names', () => {
  assert.ok(URLS.length > 600, `${URLS.length} URLs`);
  assert.ok(NAMES.size > 350, `${NAMES.size} names`);
});

for (const [what, entry] of [...Object.entries(NOTIFICATIONS), ...Object.entries(LOGOS)]) {
  it(`${entry.field} of ${what} refuses each hostile URL with its reason`, async () => {
    await forEach(URLS, ({ sentence, url }) => assertSentence(entry, url, sentence));
  });
}

for (const [what, entry] of Object.entries(NOTIFICATIONS)) {
  it(`${entry.field} of ${what} refuses each name that has a private address`, async () => {
    const hosts = what === 'a new endpoint' ? NAMES.keys() : LONE_NAMES;
    await forEach(hosts, (name) => assertSentence(entry, urlOf(name), NOT_PUBLIC));
  });
}

describe('a name that gets a private address after it was accepted', () => {
  async function deliver(): Promise<void> {
    await fanOutEvents(service.deps);
    isHostile = true;
    await new DeliveryLoop(service.deps).runToEnd();
    isHostile = false;
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
    isHostile = false;
    const ids = [endpointId];
    while (ids.length < ENDPOINTS) {
      const body = { url: urlOf('public.example'), events: ['payment.refunded'] };
      ids.push((await created(shop.post('/webhook-endpoints', body))).id);
    }
    const hosts = [...NAMES.keys()];
    for (let at = 0; at < hosts.length; at += ENDPOINTS) {
      await forEach(hosts.slice(at, at + ENDPOINTS).entries(), async ([i, host]) => {
        const path = `/webhook-endpoints/${ids[i]}`;
        assert.equal((await shop.call('PUT', path, { body: { url: urlOf(host) } })).status, 200, host);
        await created(shop.post(`${path}/ping`));
      });
      await deliver();
    }
    const found = await failures();
    for (const host of hosts) assert.deepEqual(found.get(host), BLOCKED, host);
    for (const id of ids) await shop.call('DELETE', `/webhook-endpoints/${id}`);
  });

  it('gets no connection as the notification_url of an order', async () => {
    isHostile = false;
    const before = await service.rows('select 1 from webhook_deliveries where endpoint_id is null');
    assert.equal(before.length, 0);
    await forEach(LONE_NAMES, async (host) => {
      await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: urlOf(host) }));
    });
    await deliver();
    const found = await failures();
    for (const host of LONE_NAMES) assert.deepEqual(found.get(host), BLOCKED, host);
    const sent = await service.rows('select 1 from webhook_deliveries where endpoint_id is null');
    assert.equal(sent.length, 2 * LONE_NAMES.length);
  });

  it('gets no connection as the notification_url of a link', async () => {
    isHostile = false;
    const page = await CheckoutPage.ofLink(shop);
    const hosts = LONE_NAMES.slice(0, 20);
    const ofHosts = () =>
      service.rows('select 1 from webhook_deliveries where endpoint_id is null and url = any(:urls)', {
        urls: hosts.map(urlOf),
      });
    const earlier = (await ofHosts()).length;
    for (const host of hosts) {
      const body = { notification_url: urlOf(host) };
      assert.equal((await shop.call('PUT', `/payment-links/${page.id}`, { body })).status, 200);
      await page.paid(pixBody());
      await fanOutEvents(service.deps);
    }
    await deliver();
    const found = await failures();
    for (const host of hosts) assert.deepEqual(found.get(host), BLOCKED, host);
    assert.equal((await ofHosts()).length - earlier, 2 * hosts.length);
  });
});

describe('wallets', () => {
  /** Several, because each has a limit of 600 requests per minute. */
  const DOMAINS = ['uma', 'duas', 'tres'].map((name) => `${name}.wallet.test`);
  /** Not URLs, but names of domains. */
  const BARE = ['example.com'];
  const results: OutgoingResult[] = [];
  let guarded: OutgoingCalls;
  let wallets: TestService;
  let owner: Shop;
  let clients = 0;
  before(async () => {
    isHostile = true;
    for (const name of DOMAINS) await verifiedDomain(shop, name);
    guarded = new OutgoingCalls({ allowPrivate: false, lookups: { servers: [names.address] } });
    const outgoing: Outgoing = {
      call: async (asked) => {
        results.push(await guarded.call(asked));
        return results.at(-1)!;
      },
    };
    // Names of the configuration that the name server gives private addresses.
    const hosts = ['provider.wallet.test', ...LONE_NAMES.map((name) => `${name}:${listener.port}`)];
    const provider = { hosts, identity: { merchantIdentifier: 'merchant' }, outgoing };
    wallets = await startTestService({
      jobs: false,
      beside: service,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
      overrides: { wallet: { files: outgoing, providers: [provider] } },
    });
    owner = new Shop(wallets, shop.onboarded);
  });
  after(async () => {
    await wallets.stop();
    await guarded.close();
  });

  const register = (domain_name: string) => owner.post('/mobile-wallet/domains', { domain_name });

  /** Each time from another address. */
  function validate(validationURL: string): Promise<TestAnswer> {
    clients += 1;
    const client = `198.${18 + (clients >> 16)}.${(clients >> 8) & 255}.${clients & 255}`;
    const domainName = DOMAINS[clients % DOMAINS.length];
    return validateSession(wallets, { validationURL, domainName }, { 'X-Forwarded-For': client });
  }

  it('domain_name refuses each hostile URL and each hostile host', async () => {
    await forEach(URLS, async ({ sentence, url }) => {
      if (BARE.includes(url)) return;
      assert.equal((await register(url)).status, 422, url);
      if (!/host/.test(sentence)) return;
      const { hostname } = new URL(url);
      assert.equal((await register(hostname)).status, 422, hostname);
    });
  });

  it('a domain with a private address fails its verification without a connection', async () => {
    results.length = 0;
    await forEach(LONE_NAMES, async (name) => {
      const { id } = await created(register(name));
      assert.equal((await owner.post(`/mobile-wallet/domains/${id}/verify`)).body.status, 'failed', name);
      assert.equal((await owner.call('DELETE', `/mobile-wallet/domains/${id}`)).status, 204);
    });
    assert.equal(results.length, LONE_NAMES.length);
    for (const { kind, ...failure } of results) {
      assert.deepEqual([kind, failure], ['failed', { code: 'blocked_destination', message: NOT_PUBLIC }]);
    }
  });

  it('validationURL refuses each hostile URL, and each that only looks like a provider', async () => {
    results.length = 0;
    const listed = 'provider.wallet.test';
    const { port } = listener;
    const alike = [
      `https://${listed}@127.0.0.1:${port}/`,
      `https://${listed}:443@127.0.0.1:${port}/`,
      `https://${listed}%40127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}\\@${listed}/`,
      `https://127.0.0.1:${port}#@${listed}/`,
      `https://127.0.0.1:${port}?@${listed}/`,
      `https://127.0.0.1:${port}/${listed}`,
      `https://localhost:${port}/`,
      `https://[::1]:${port}/`,
      `https://${listed}:${port}/`,
      `https://${listed}.:${port}/`,
      `https://${listed}.localhost:${port}/`,
      `https://${listed}.example:${port}/`,
      `https://x.${listed}/`,
      `http://${listed}:${port}/`,
      `http://127.0.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
      `\\\\127.0.0.1:${port}/`,
      ` https://${listed}/`,
      `https://${listed}\t:${port}/`,
      `https://${listed}\n.example:${port}/`,
      `https:127.0.0.1:${port}/`,
      `ftp://${listed}/`,
      `file:///etc/passwd`,
    ];
    await forEach([...URLS.map(({ url }) => url), ...alike], async (url) => {
      const { status, body } = await validate(url);
      assert.equal(status, 400, url);
      if (body.errors !== undefined) return;
      assert.match(body.message, /validationURL is not an address of a wallet provider\.$/, url);
    });
    assert.equal(results.length, 0);
  });

  it('a provider of the configuration that has a private address gets no connection', async () => {
    results.length = 0;
    await forEach(LONE_NAMES, async (name) => {
      assert.equal((await validate(`https://${name}:${listener.port}/session`)).status, 400, name);
    });
    assert.equal(results.length, LONE_NAMES.length);
    for (const result of results) {
      assert.equal(result.kind === 'failed' && result.code, 'blocked_destination');
    }
  });
});

it('a logo at a name with a private address gets no connection, and the page has no logo', async () => {
  isHostile = true;
  const hosts = [...NAMES.keys()];
  const links = await Promise.all(
    hosts.map((host) => created(shop.post('/payment-links', linkBody({ logo_url: urlOf(host) })))),
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

it('all of this made no connection', () => assert.equal(listener.connections, 0));
