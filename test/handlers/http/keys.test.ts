import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { moveApiKeyRow } from '../../../db/merchants/api-keys.ts';
import { makeApiKey } from '../../../domain/merchants/api-key.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const get = (path: string, key?: string | null) =>
  service.call('GET', path, key === undefined ? {} : { key });

const pixOrder = (code: string) => ({
  code,
  mcc: '5734',
  customer: { name: 'Ana Souza', email: 'ana@example.com' },
  payment: { amount: 1_000, payment_method: 'pix' },
});

describe('401', () => {
  for (const [what, header] of [
    ['no Authorization header', undefined],
    ['another scheme', 'Basic YTpi'],
    ['an empty token', 'Bearer '],
    ['a token that is no key', 'Bearer abc'],
    ['a key whose checksum does not fit', `Bearer pay_test_aa${'x'.repeat(38)}`],
    ['a token with a space in it', 'Bearer pay_test_ a'],
  ] as const) {
    it(`is the answer to ${what}`, async () => {
      const headers: Record<string, string> = header === undefined ? {} : { authorization: header };
      const {
        status,
        headers: answered,
        body,
      } = await service.call('GET', '/customers', { key: null, headers });
      assert.equal(status, 401);
      assert.equal(answered.get('www-authenticate'), 'Bearer');
      assert.equal(body.error.code, 'unauthorized');
    });
  }

  it('is the answer to a well-formed key that does not exist', async () => {
    const stranger = makeApiKey('sandbox', 7, service.deps.random);
    assert.equal((await get('/customers', stranger)).status, 401);
  });

  it('has a body with only a message in the operations of recipients', async () => {
    const { status, body, headers } = await get('/recipients', null);
    assert.equal(status, 401);
    assert.deepEqual(body, { message: 'Unauthenticated.' });
    assert.equal(headers.get('www-authenticate'), 'Bearer');
  });

  it('comes before the validation of the body', async () => {
    const { status } = await service.call('POST', '/customers', { key: null, rawBody: '{broken' });
    assert.equal(status, 401);
  });

  it('is the answer to a revoked key from the next request on', async () => {
    const { id, apiKey } = await service.newKey(service.merchant);
    assert.equal((await get('/customers', apiKey)).status, 200);
    await moveApiKeyRow(service.deps.db, service.merchant.merchant, id, { from: ['active'], to: 'revoked' });
    assert.equal((await get('/customers', apiKey)).status, 401);
  });
});

describe('403', () => {
  it('is the answer to a production key in the sandbox, known or not', async () => {
    const { status, body } = await get('/customers', makeApiKey('production', 7, service.deps.random));
    assert.equal(status, 403);
    assert.equal(body.error.code, 'forbidden');
  });

  for (const state of ['disabled', 'suspended'] as const) {
    it(`is the answer to a ${state} key, until it is active again`, async () => {
      const { id, apiKey } = await service.newKey(service.merchant);
      await moveApiKeyRow(service.deps.db, service.merchant.merchant, id, { from: ['active'], to: state });
      assert.equal((await get('/customers', apiKey)).status, 403);
      await moveApiKeyRow(service.deps.db, service.merchant.merchant, id, { from: [state], to: 'active' });
      assert.equal((await get('/customers', apiKey)).status, 200);
    });
  }

  it('is the answer to a key without the permission, by resource and by reading or writing', async () => {
    const { apiKey } = await service.newKey(service.merchant, ['customers:read']);
    assert.equal((await get('/customers', apiKey)).status, 200);
    assert.equal((await get('/payments', apiKey)).status, 403);
    const { status } = await service.call('POST', '/customers', { key: apiKey, body: {} });
    assert.equal(status, 403);
  });

  it('is not the answer to a read with a key that may write', async () => {
    const { apiKey } = await service.newKey(service.merchant, ['customers:write']);
    const { status } = await service.call('POST', '/customers', { key: apiKey, body: {} });
    assert.equal(status, 422);
    assert.equal((await get('/customers', apiKey)).status, 200);
    assert.equal((await get('/payments', apiKey)).status, 403);
  });

  it('has the code access_denied in the operations of cards', async () => {
    const { apiKey } = await service.newKey(service.merchant, ['customers:read']);
    const { status, body } = await get('/cards/0197f6f0-0000-7000-8000-000000000000', apiKey);
    assert.equal(status, 403);
    assert.equal(body.error.code, 'access_denied');
  });

  it('is the answer to an operation that the plan does not include', async () => {
    const other = await service.newMerchant({ plan: 'essential' });
    assert.equal((await get('/recipients', other.apiKey)).status, 403);
    assert.equal((await get('/customers', other.apiKey)).status, 200);
  });

  it('keeps an account that is not approved from taking money, and lets it read', async () => {
    const pending = await service.newMerchant({ status: 'pending' });
    const { status, body } = await service.call('POST', '/charges/orders', {
      key: pending.apiKey,
      body: pixOrder('a'),
    });
    assert.equal(status, 403);
    assert.equal(body.error.code, 'forbidden');
    assert.equal((await get('/payments', pending.apiKey)).status, 200);
    const customer = { name: 'Ana Souza', email: 'ana@example.com' };
    const written = await service.call('POST', '/customers', { key: pending.apiKey, body: customer });
    assert.equal(written.status, 201);
    await changeMerchant(service.deps, pending.merchant.merchantId, { status: 'approved' });
    const taken = await service.call('POST', '/charges/orders', { key: pending.apiKey, body: pixOrder('a') });
    assert.equal(taken.status, 201);
  });
});

describe('GET /merchant, which documents 401 and 403 the other way round', () => {
  it('403 for a missing or invalid key', async () => {
    const missing = await get('/merchant', null);
    assert.equal(missing.status, 403);
    assert.equal(missing.body.error.code, 'forbidden');
    assert.equal((await get('/merchant', 'pay_test_no')).status, 403);
  });

  it('401 for an account that is not approved', async () => {
    const pending = await service.newMerchant({ status: 'pending' });
    const { status, body, headers } = await get('/merchant', pending.apiKey);
    assert.equal(status, 401);
    assert.equal(body.error.code, 'unauthorized');
    assert.equal(headers.get('www-authenticate'), 'Bearer');
  });

  it('200 with the account of the key', async () => {
    const { status, body } = await get('/merchant');
    assert.equal(status, 200);
    assert.equal(body.id, service.merchant.merchant.merchantId);
  });
});

describe('a stored key', () => {
  it('is in the database only as a hash', async () => {
    const { apiKey } = service.merchant;
    const rows = await service.deps.db.anywhere<{ row: string }>('select k::text as row from api_keys k');
    assert.ok(rows.length > 0);
    for (const { row } of rows) assert.ok(!row.includes(apiKey.slice(9, 30)));
  });

  it('has the time of its last use, written in batches', async () => {
    const { id, apiKey } = await service.newKey(service.merchant);
    await get('/customers', apiKey);
    const { until } = await import('../../support/until.ts');
    await until('the use of the key is written', async () => {
      const [row] = await service.deps.db.anywhere<{ last_used_at: Date | null }>(
        'select last_used_at from api_keys where id = :id',
        { id },
      );
      return row?.last_used_at !== null;
    });
  });
});
