import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService({
    env: {
      PAYMENTS_ENV: 'production',
      VAULT_KEYS: randomBytes(32).toString('base64'),
      KEY_PEPPER: randomBytes(32).toString('base64'),
      ACQUIRER_URL: 'http://127.0.0.1:9',
      ACQUIRER_SECRET: randomBytes(32).toString('hex'),
    },
  });
});
after(() => service.stop());

/** Not by `service.call`: that these paths are unknown is what the contract does not say. */
function ask(method: string, path: string, key: string | null): Promise<Response> {
  return fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(method === 'POST' ? { body: '{"days": 1}' } : {}),
  });
}

const sandbox = [...loadContract().operations.values()].filter(({ sandboxOnly }) => sandboxOnly);

describe('404 in production', () => {
  test('all operations of the sandbox are tested', () => assert.equal(sandbox.length, 13));

  for (const { operationId, method, path } of sandbox) {
    test(`${operationId}, with and without a key and by any method, like an unknown path`, async () => {
      const there = path.replace(/\{\w+\}/, randomUUID());
      for (const key of [service.merchant.apiKey, null]) {
        for (const verb of [method.toUpperCase(), 'DELETE']) {
          const [known, unknown] = [await ask(verb, there, key), await ask(verb, '/nothing/here', key)];
          assert.equal(known.status, 404);
          const body: Json = await known.json();
          assert.equal(body.error.code, 'not_found');
          assert.deepEqual(body, await unknown.json());
          assert.equal(known.headers.has('allow'), false);
        }
      }
    });
  }

  test('but no other operation', async () => {
    assert.match(service.merchant.apiKey, /^pay_live_/);
    assert.equal((await service.call('GET', '/merchant')).status, 200);
    assert.equal((await service.call('GET', '/payments')).status, 200);
    assert.equal((await service.call('GET', '/payments', { key: null })).status, 401);
  });
});
