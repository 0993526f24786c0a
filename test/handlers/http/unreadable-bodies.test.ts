import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const post = (rawBody: string | Buffer, headers: Record<string, string> = {}) =>
  service.call('POST', '/customers', { rawBody, headers });

const ANA = JSON.stringify({ name: 'Ana Souza', email: 'ana@example.com' });

describe('400', () => {
  for (const [what, text] of [
    ['a cut-off object', '{"name": "Ana"'],
    ['a bare word', 'name'],
    ['a trailing comma', '{"name": "Ana",}'],
    ['nothing at all', ''],
    ['two documents', '{} {}'],
  ] as const) {
    it(`invalid_json for ${what}`, async () => {
      const { status, body } = await post(text);
      assert.equal(status, 400);
      assert.equal(body.error.code, 'invalid_json');
    });
  }

  it('invalid_json for bytes that are not UTF-8', async () => {
    const { status, body } = await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    assert.equal(status, 400);
    assert.equal(body.error.code, 'invalid_json');
  });

  it('invalid_json for nesting that is too deep, at once', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const { status } = await post(deep);
    assert.equal(status, 400);
    assert.equal((await post('['.repeat(100_000))).status, 400);
  });

  it('does not quote the body in its message', async () => {
    const { text } = await post('{"number": 4242424242424242, oops');
    assert.ok(!text.includes('4242'));
  });
});

describe('413', () => {
  it('for a Content-Length over 256 KiB, before the body is sent', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(`${service.url}/api/v1/customers`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.merchant.apiKey}`,
          'content-type': 'application/json',
          'content-length': 256 * 1024 + 1,
        },
      });
      request.on('response', (response) => {
        resolve(response.statusCode!);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
    assert.equal(answer, 413);
  });

  it('for a chunked body over 256 KiB', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(`${service.url}/api/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.merchant.apiKey}`, 'content-type': 'application/json' },
      });
      request.on('response', (response) => resolve(response.statusCode!));
      request.on('error', reject);
      request.end(`{"name":"${'a'.repeat(300 * 1024)}"}`);
    });
    assert.equal(status, 413);
  });

  it('not for exactly 256 KiB', async () => {
    const filler = 'a'.repeat(256 * 1024 - '{"name":""}'.length);
    const { status } = await post(`{"name":"${filler}"}`);
    assert.equal(status, 422);
  });
});

describe('415', () => {
  for (const [what, headers] of [
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a JSON patch', { 'content-type': 'application/merge-patch+json' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
  ] as [string, Record<string, string>][]) {
    it(`for ${what}`, async () => {
      const { status, body } = await post(ANA, headers);
      assert.equal(status, 415);
      assert.equal(body.error.code, 'unsupported_media_type');
    });
  }

  it('not for JSON with a charset', async () => {
    const body = JSON.stringify({ name: 'Ana Souza', email: 'charset@example.com' });
    const { status } = await post(body, { 'content-type': 'Application/JSON; charset="UTF-8"' });
    assert.equal(status, 201);
  });
});
