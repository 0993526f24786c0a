import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import express from 'express';
import { docsPages } from '../../web/docs-pages.ts';
import { startTestService, type TestService } from '../support/service.ts';

const UNKNOWN = [
  '/docs/nothing',
  '/docs/guides/nothing',
  '/docs/guides/errors/nothing',
  '/docs/guides/%zz',
  '/docs/guides/%00',
  '/docs/guides/__proto__',
  '/docs/assets/nothing.js',
  `/docs/guides/${'a'.repeat(4000)}`,
];

describe('a path without a page', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service?.stop());

  const get = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init);

  for (const path of UNKNOWN)
    test(`${path.slice(0, 40)} gets a page with links to the docs`, async () => {
      const answer = await get(path);
      assert.equal(answer.status, 404);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self';/);
      const html = await answer.text();
      for (const link of ['/docs', '/docs/guides/quick-start', '/docs/guides/errors'])
        assert.ok(html.includes(`href="${link}"`), link);
      assert.ok(!html.includes('nothing'), 'the page does not repeat what was asked for');
    });

  test('HEAD is answered without a body', async () => {
    const answer = await get('/docs/nothing', { method: 'HEAD' });
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.ok(Number(answer.headers.get('content-length')) > 0);
    assert.equal(await answer.text(), '');
  });

  test('its page is compressed if the browser accepts it', async () => {
    const answer = await get('/docs/nothing', { headers: { 'accept-encoding': 'br' } });
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('content-encoding'), 'br');
  });

  test('a conditional request gets 404 again', async () => {
    const { headers } = await get('/docs/nothing');
    const again = await get('/docs/nothing', { headers: { 'if-none-match': headers.get('etag') ?? '*' } });
    assert.equal(again.status, 404);
  });

  test('other methods, the API and the library answer in JSON', async () => {
    for (const [method, path] of [
      ['POST', '/docs/nothing'],
      ['GET', '/api/v1/nothing'],
      ['GET', '/lib/nothing.js'],
      ['GET', '/docsnothing'],
    ] as const) {
      const answer = await get(path, { method });
      assert.ok([404, 405].includes(answer.status), `${method} ${path}`);
      assert.equal(
        answer.headers.get('content-type'),
        'application/json; charset=utf-8',
        `${method} ${path}`,
      );
    }
  });
});

test('the file of the page is read once for any number of unknown paths', async () => {
  const read: string[] = [];
  const page = { type: 'text/html; charset=utf-8', cacheControl: 'no-cache' };
  const files = ['/docs/404', '/docs/guides/errors'].map((path) => ({ ...page, path, file: path }));
  const load = async ({ file }: { file: string }) => Buffer.from(`page ${read.push(file)}`);
  const app = express().use(docsPages({ files, load }, { isSandbox: true, demo: () => null }));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (let i = 0; i < 100; i += 1) {
      const answer = await fetch(`${home}/docs/guides/unknown-${i}`, {
        headers: { 'accept-encoding': 'identity' },
      });
      assert.deepEqual([answer.status, await answer.text()], [404, 'page 1']);
    }
    assert.deepEqual(read, ['/docs/404']);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
