import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

describe('201', () => {
  it('places an order by Pix that waits for its payment', async () => {
    const { status, body } = await service.call('POST', '/charges/orders', {
      body: {
        code: 'pix-1',
        mcc: '5734',
        customer: { name: 'Ana Souza', email: 'ana@example.com' },
        payment: { amount: 12_990, payment_method: 'pix' },
      },
    });
    assert.equal(status, 201);
    assert.equal(body.payment.status, 'waiting_payment');
  });
});
