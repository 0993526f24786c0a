import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

const PRODUCTION_ENV = {
  PAYMENTS_ENV: 'production',
  VAULT_KEYS: randomBytes(32).toString('base64'),
  KEY_PEPPER: 'a pepper of more than 32 characters',
};

/** What the server sends for bytes as they are, until it closes. */
async function bytesTo(url: string, bytes: string): Promise<{ status: number; text: string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return { status: Number(text.split(' ')[1]), text };
}

const get = (url: string, target: string, host: string, key?: string) =>
  bytesTo(
    url,
    `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
      `${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`,
  );

const OWN_HOSTS = [
  '127.0.0.1',
  '127.0.0.1:3000',
  '192.168.1.7:80',
  'localhost',
  'localhost:3000',
  'LocalHost',
  'localhost.',
  'localhost.:3000',
  '[::1]',
  '[::1]:3000',
  '[2001:DB8::7]:3000',
  'docs.centavo.example',
  'Docs.Centavo.Example:443',
  'docs.centavo.example.',
  'intranet',
];
const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:3000',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evil.localhost',
  'centavo.example',
  'x.docs.centavo.example',
  'docs.centavo.example.evil.example',
  'localhost..',
  '.localhost',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '256.0.0.1',
  '[::1].evil.example',
  '[evil.example]',
  '[fe80::1%25eth0]',
  '::1',
  'localhost:3000:evil',
  'localhost, evil.example',
  'evil.example@localhost:80:1',
  'xn--lcalhost-4ya',
  '',
];
/** What the sandbox's pages are made of; the scripts hold the demo key. */
const PAGES = [
  '/docs',
  '/docs/',
  '/DOCS/demo.js',
  '/docs/demo.js',
  '/docs/reference.js',
  '/docs/reference.js?x=1',
  '/docs/guides/quick-start',
  '/docs/guides/nothing',
  '/docs/assets/site.js',
  '/docs/openapi.json',
  '/docs/demo',
];

describe('a sandbox', () => {
  let service: TestService;
  let demoKey: string;
  before(async () => {
    service = await startTestService({
      jobs: false,
      env: { PUBLIC_HOSTS: 'docs.Centavo.example., intranet' },
    });
    const { text } = await get(service.url, '/docs/demo.js', 'localhost');
    demoKey = /pay_test_\w+/.exec(text)![0];
  });
  after(() => service.stop());

  for (const host of OWN_HOSTS) {
    it(`serves its pages and metrics for the Host ${host}`, async () => {
      const { status, text } = await get(service.url, '/docs/demo.js', host);
      assert.equal(status, 200);
      assert.ok(text.includes(demoKey));
      assert.equal((await get(service.internalUrl, '/metrics', host)).status, 200);
    });
  }

  for (const host of FOREIGN_HOSTS) {
    it(`refuses both for ${host === '' ? 'an empty Host' : `the Host ${host}`}`, async () => {
      for (const path of ['/docs/demo.js', '/docs']) {
        const { status, text } = await get(service.url, path, host);
        assert.equal(status, 421, text);
        assert.match(text, /"misdirected_request"/);
      }
      for (const path of ['/metrics', '/healthz', '/readyz', '/nothing']) {
        const { status, text } = await get(service.internalUrl, path, host);
        assert.equal(status, 421, text);
        assert.match(text, /"misdirected_request"/);
      }
    });
  }

  it('serves the demo key on no path for a foreign Host', async () => {
    const links = new Set(PAGES);
    for (const page of ['/docs', '/docs/demo', '/docs/guides/quick-start']) {
      const { text } = await get(service.url, page, 'localhost');
      for (const [, link] of text.matchAll(/(?:href|src)="(\/[^"#]*)"/g)) links.add(link!);
    }
    assert.ok(links.size > 20);
    for (const link of links) {
      const { status, text } = await get(service.url, link, 'evil.example');
      if (link.toLowerCase().startsWith('/docs')) assert.equal(status, 421, link);
      assert.ok(!text.includes(demoKey), link);
    }
  });

  it('checks the host of an absolute request target, too', async () => {
    for (const [target, host, status] of [
      ['http://localhost/docs/demo.js', 'localhost', 200],
      ['http://127.0.0.1:3000/docs/demo.js', 'localhost', 200],
      ['http://evil.example/docs/demo.js', 'localhost', 421],
      ['HTTP://EVIL.example/docs/demo.js', '127.0.0.1', 421],
      ['http://localhost@evil.example/docs/demo.js', '127.0.0.1', 421],
      ['http://localhost/docs/demo.js', 'evil.example', 421],
      ['http:///docs/demo.js', 'localhost', 421],
    ] as const) {
      assert.equal((await get(service.url, target, host)).status, status, `${target}, ${host}`);
      const internal = target.replace('/docs/demo.js', '/metrics');
      assert.equal((await get(service.internalUrl, internal, host)).status, status, `${internal}, ${host}`);
    }
  });

  it('answers every request with two Host headers with 400', async () => {
    for (const [url, path] of [
      [service.url, '/docs'],
      [service.url, '/api/v1/merchant'],
      [service.url, '/healthz'],
      [service.internalUrl, '/metrics'],
    ] as const) {
      for (const hosts of [
        ['localhost', 'evil.example'],
        ['evil.example', 'localhost'],
        ['localhost', 'localhost'],
      ]) {
        const lines = hosts.map((host, n) => `${n === 0 ? 'Host' : 'hOST'}: ${host}\r\n`).join('');
        for (const version of ['1.0', '1.1']) {
          const { status, text } = await bytesTo(url, `GET ${path} HTTP/${version}\r\n${lines}\r\n`);
          assert.equal(status, 400, text);
          assert.match(text, /"unreadable_request"/);
        }
      }
    }
  });

  it('refuses its pages to HTTP/1.0 without a Host, which the API accepts', async () => {
    const ask = (url: string, path: string) => bytesTo(url, `GET ${path} HTTP/1.0\r\n\r\n`);
    assert.equal((await ask(service.url, '/docs/demo.js')).status, 421);
    assert.equal((await ask(service.internalUrl, '/metrics')).status, 421);
    assert.equal((await ask(service.url, '/api/v1/merchant')).status, 403);
    assert.equal((await ask(service.url, '/healthz')).status, 200);
  });

  it('serves the API, the contract, the card library and its health for any Host', async () => {
    for (const host of ['api.centavo.example', 'evil.example', 'x']) {
      const { status } = await get(service.url, '/api/v1/merchant', host, service.merchant.apiKey);
      assert.equal(status, 200);
      for (const path of ['/openapi.json', '/lib/centavo.js', '/healthz']) {
        assert.equal((await get(service.url, path, host)).status, 200, path);
      }
      assert.equal((await get(service.url, '/api/v1', host)).status, 404);
    }
  });
});

describe('production', () => {
  it('serves its pages, which contain no key, for any Host, and its metrics for its own', async () => {
    await using service = await startTestService({ jobs: false, env: { ...PRODUCTION_ENV } });
    for (const path of ['/docs', '/docs/demo.js']) {
      assert.equal((await get(service.url, path, 'docs.centavo.example')).status, 200);
    }
    assert.equal((await get(service.internalUrl, '/metrics', 'docs.centavo.example')).status, 421);
    assert.equal((await get(service.internalUrl, '/metrics', 'localhost')).status, 200);
  });
});
