import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

const NO_PAYMENT = '/payments/0197f6f0-0000-7000-8000-000000000000';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const post = (operation: string, rawBody: string, headers: Record<string, string> = {}) =>
  service.call('POST', `${NO_PAYMENT}/${operation}`, { rawBody, headers });

describe('an optional body', () => {
  it('may be missing although the request has a Content-Type, as many clients send it', async () => {
    for (const operation of ['capture', 'refunds']) assert.equal((await post(operation, '')).status, 404);
  });

  it('must not be null, because a refund without a body returns the whole amount', async () => {
    for (const operation of ['capture', 'refunds']) {
      for (const text of ['null', ' null\n', '[]', '0', 'false', '""']) {
        const { status, body } = await post(operation, text);
        assert.equal(status, 422, text);
        assert.deepEqual(Object.keys(body.errors), ['body']);
      }
    }
  });
});

describe('a body of an operation without a body', () => {
  it('gets a 422 that names its fields, so that callers notice that they are ignored', async () => {
    const { status, body } = await post('cancel', '{"amount": 100, "reason": "x"}');
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors).sort(), ['amount', 'reason']);
  });

  for (const [what, text] of [
    ['a list', '[1]'],
    ['a text', '"x"'],
    ['broken JSON', '{'],
    ['more than 256 KiB', `{"padding":"${'x'.repeat(300_000)}"}`],
  ] as const) {
    it(`gets a 422 at the path body: ${what}`, async () => {
      const { status, body } = await post('cancel', text);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors), ['body']);
    });
  }

  it('is accepted if it is empty, as many clients send it', async () => {
    for (const text of ['', '{}', ' {} ', 'null']) assert.equal((await post('cancel', text)).status, 404);
    assert.equal((await post('cancel', '', { 'content-type': 'text/plain' })).status, 404);
  });

  it('gets a 422 without waiting for its bytes if it is too long, and is ignored for a GET', async () => {
    for (const [method, path, status] of [
      ['POST', `${NO_PAYMENT}/cancel`, 422],
      ['GET', '/merchant', 200],
    ] as const) {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${service.merchant.apiKey}`,
          'content-length': 256 * 1024 + 1,
        };
        const request = httpRequest(`${service.url}/api/v1${path}`, { method, headers }, resolve);
        request.on('error', reject);
        request.flushHeaders();
      });
      answer.destroy();
      assert.equal(answer.statusCode, status);
      assert.equal(answer.headers.connection, 'close');
    }
  });
});
