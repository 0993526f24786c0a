import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

describe('every answer', () => {
  it('has a request id: that of the caller if it is valid, else a new one', async () => {
    const given = await service.call('GET', '/customers', { headers: { 'x-request-id': 'abc-123' } });
    assert.equal(given.headers.get('x-request-id'), 'abc-123');
    const strange = await service.call('GET', '/customers', { headers: { 'x-request-id': 'a b<script>' } });
    assert.match(strange.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
    const refused = await fetch(`${service.url}/api/v1/nothing`);
    assert.match(refused.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
    assert.ok(service.log.some((line) => line.fields.request_id === 'abc-123'));
  });

  it('is the same for HEAD, without the body', async () => {
    const headers = { authorization: `Bearer ${service.merchant.apiKey}` };
    const answer = await fetch(`${service.url}/api/v1/merchant`, { method: 'HEAD', headers });
    assert.equal(answer.status, 200);
    assert.ok(Number(answer.headers.get('content-length')) > 100);
    assert.equal(await answer.text(), '');
    assert.match((await fetch(`${service.url}/healthz`)).headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
  });

  it('has security headers and forbids caching', async () => {
    const { headers } = await service.call('GET', '/customers');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-powered-by'), null);
  });
});

describe('404 and 405', () => {
  it('404 with an error body for a path that does not exist', async () => {
    for (const path of ['/nothing', '/customers/a/b/c', '/Customers', '/']) {
      const response = await fetch(`${service.url}/api/v1${path}`);
      assert.equal(response.status, 404, path);
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'not_found');
    }
    assert.equal((await fetch(`${service.url}/api/v2/customers`)).status, 404);
  });

  it('404 for a path with a trailing slash, with a message that says so', async () => {
    const posts = ['/customers/', '/cards/', '/payments/', '/charges/orders/', '/sandbox/reset/'];
    const asked = [...posts.map((path) => ['POST', path]), ['GET', '/merchant/']];
    for (const [method, path] of asked) {
      const response = await fetch(`${service.url}/api/v1${path}`, { method: method! });
      assert.equal(response.status, 404, `${method} ${path}`);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      assert.equal(error.code, 'not_found');
      assert.match(error.message, /slash/);
    }
  });

  it('404 for the path of a list with a trailing slash', async () => {
    for (const path of [
      '/payments/?status=paid',
      '/charges/orders/?status=paid',
      '/customers/?email=ana@example.com',
      '/events/?per_page=1',
    ]) {
      const { status, body } = await service.call('GET', path);
      assert.equal(status, 404, path);
      assert.match(body.message, /slash/);
    }
  });

  it('405 with Allow for another method of a known path, with or without a key', async () => {
    const response = await fetch(`${service.url}/api/v1/customers`, { method: 'DELETE' });
    assert.equal(response.status, 405);
    assert.deepEqual(response.headers.get('allow')!.split(', ').sort(), ['GET', 'POST']);
    const one = await fetch(`${service.url}/api/v1/customers/abc`, { method: 'POST' });
    assert.equal(one.status, 405);
    assert.equal(one.headers.get('allow'), 'GET, PUT');
  });
});
