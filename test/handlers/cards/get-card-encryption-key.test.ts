import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

const get = (key?: string | null) =>
  service.call('GET', '/cards/encryption-key', key === undefined ? {} : { key });

describe('200', () => {
  test('returns the public key, the same each time, without its private part', async () => {
    const { status, body } = await get();
    assert.equal(status, 200);
    assert.deepEqual([body.alg, body.enc], ['RSA-OAEP-256', 'A256GCM']);
    assert.deepEqual(Object.keys(body.jwk).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
    assert.equal(body.jwk.kid, body.kid);
    assert.deepEqual((await get()).body, body);
  });

  test('the service recognizes its own keys, and no others', async () => {
    const { n, e, kid } = (await get()).body.jwk;
    const other = (await get((await service.newMerchant()).apiKey)).body.jwk;
    const ask = async (query: Record<string, string>) =>
      (await fetch(`${service.url}/lib/card-key?${new URLSearchParams(query)}`)).status;
    assert.equal(await ask({ n, e, kid }), 204);
    assert.equal(await ask({ n: other.n, e: other.e, kid: other.kid }), 204);
    for (const query of [
      { n: other.n, e, kid },
      { n, e, kid: other.kid },
      { n, e: 'AQ', kid },
      { n, e, kid: '' },
      { n, e },
    ])
      assert.equal(await ask(query as Record<string, string>), 404);
  });

  test('each merchant has its own', async () => {
    const other = await service.newMerchant();
    assert.notEqual((await get(other.apiKey)).body.kid, (await get()).body.kid);
  });
});

describe('401', () => {
  test('a request without a key', async () => {
    assert.equal((await get(null)).status, 401);
  });
});

describe('403', () => {
  test('a key without permission to read cards', async () => {
    const { apiKey } = await service.newKey(service.merchant, ['customers:read']);
    assert.equal((await get(apiKey)).status, 403);
  });
});
