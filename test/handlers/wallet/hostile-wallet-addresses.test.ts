/** Hostile URLs and names in the operations of wallets: no connection is made. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Outgoing, OutgoingResult } from '../../../services/webhooks/outgoing.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { validateSession, verifiedDomain } from '../../support/wallet/wallet-shop.ts';
import { forEach, HostileNames, LONE_NAMES, NOT_PUBLIC, URLS } from '../../support/webhooks/hostile-names.ts';

let hostile: HostileNames;
let service: TestService;
let shop: Shop;
before(async () => {
  hostile = await HostileNames.start();
  ({ service, shop } = hostile);
});
after(() => hostile[Symbol.asyncDispose]());

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
    hostile.isHostile = true;
    for (const name of DOMAINS) await verifiedDomain(shop, name);
    guarded = new OutgoingCalls({ allowPrivate: false, lookups: { servers: [hostile.names.address] } });
    const outgoing: Outgoing = {
      call: async (asked) => {
        results.push(await guarded.call(asked));
        return results.at(-1)!;
      },
    };
    // Names of the configuration that the name server gives private addresses.
    const hosts = ['provider.wallet.test', ...LONE_NAMES.map((name) => `${name}:${hostile.listener.port}`)];
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
    const { port } = hostile.listener;
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
      assert.equal((await validate(`https://${name}:${hostile.listener.port}/session`)).status, 400, name);
    });
    assert.equal(results.length, LONE_NAMES.length);
    for (const result of results) {
      assert.equal(result.kind === 'failed' && result.code, 'blocked_destination');
    }
  });
});

it('all of this made no connection', () => assert.equal(hostile.listener.connections, 0));
