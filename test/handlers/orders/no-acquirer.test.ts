import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

const ORDER = {
  code: 'order-1',
  mcc: '5734',
  customer: { name: 'Ana Souza', email: 'ana@example.com' },
  payment: { amount: 4990, payment_method: 'pix' },
};

describe('production without an acquirer', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({
      env: {
        PAYMENTS_ENV: 'production',
        VAULT_KEYS: randomBytes(32).toString('base64'),
        KEY_PEPPER: randomBytes(32).toString('base64'),
      },
    });
  });
  after(() => service.stop());

  it('answers an order with 503, and stores nothing', async () => {
    const { status, headers, body } = await service.call('POST', '/charges/orders', {
      body: ORDER,
      idempotencyKey: 'order-1',
    });
    assert.equal(status, 503);
    assert.ok(headers.has('retry-after'));
    assert.equal(body.error.code, 'service_unavailable');
    assert.deepEqual((await service.call('GET', '/payments')).body.data, []);
    assert.deepEqual((await service.call('GET', '/customers')).body.data, []);
  });

  it('still validates an order', async () => {
    const { status } = await service.call('POST', '/charges/orders', { body: { ...ORDER, mcc: '0001' } });
    assert.equal(status, 422);
  });

  it('runs all operations that need no acquirer, and simulates nothing', async () => {
    const { status } = await service.call('POST', '/customers', { body: ORDER.customer });
    assert.equal(status, 201);
    assert.equal(service.deps.sandbox, null);
  });
});
