import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeApiKey } from '../../../domain/merchants/api-key.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const read = (key: string | null, headers = {}) => service.call('GET', '/merchant', { key, headers });

describe('200', () => {
  it('returns the account of the key', async () => {
    const { apiKey, merchant } = await service.newMerchant({
      name: 'Aurora',
      legalName: 'Aurora Cursos Ltda',
      mccs: ['5734', '8299', '0001'],
      paymentMethods: ['pix', 'credit_card'],
    });
    const { status, body } = await read(apiKey);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: merchant.merchantId,
      name: 'Aurora',
      legal_name: 'Aurora Cursos Ltda',
      status: 'approved',
      merchant_codes: [
        { code: '5734', description: 'Computer software stores' },
        { code: '8299', description: 'Schools and educational services not elsewhere classified' },
        { code: '0001', description: 'Merchant category 0001' },
      ],
      payment_methods: ['pix', 'credit_card'],
      currencies: ['BRL'],
    });
  });

  it('never returns another account', async () => {
    const [one, other] = [await service.newMerchant(), await service.newMerchant()];
    assert.equal((await read(one.apiKey)).body.id, one.merchant.merchantId);
    assert.equal((await read(other.apiKey)).body.id, other.merchant.merchantId);
  });
});

describe('401', () => {
  it('means, in this operation, that the account is not approved', async () => {
    for (const status of ['pending', 'suspended'] as const) {
      const { apiKey } = await service.newMerchant({ status });
      const answer = await read(apiKey);
      assert.equal(answer.status, 401, status);
      assert.equal(answer.body.error.code, 'unauthorized');
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    }
  });
});

describe('403', () => {
  it('means, in this operation, that the key is missing, malformed or unknown', async () => {
    const unknown = makeApiKey('sandbox', service.merchant.merchant.slot, service.deps.random);
    for (const key of [null, 'x', `${unknown}x`, unknown]) {
      const { status, body } = await read(key);
      assert.equal(status, 403, String(key));
      assert.equal(body.error.code, 'forbidden');
    }
  });

  it('is also the answer to a key without the permission', async () => {
    const owner = await service.newMerchant();
    const { apiKey } = await service.newKey(owner, ['customers:read']);
    const { status, body } = await read(apiKey);
    assert.equal(status, 403);
    assert.equal(body.error.code, 'forbidden');
  });
});
