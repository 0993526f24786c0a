import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';
import { UNKNOWN_ID } from '../../support/shop.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

describe('a missing choice', () => {
  const errorsOf = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { body });
    assert.equal(answer.status, 422, answer.text);
    return answer.body.errors;
  };

  it('reports every field that would be valid', async () => {
    assert.deepEqual(await errorsOf('/sandbox/clock/advance', {}), { days: ['Send `to` or `days`.'] });
    const outcomes = [{ operation: 'authorize', outcome: 'approve' }];
    assert.deepEqual(await errorsOf('/sandbox/scripts', { outcomes }), {
      card_id: ['Send `customer_id` or `card_id`.'],
    });
    assert.deepEqual(await errorsOf('/subscriptions/cancel', {}), { code: ['Send `id` or `code`.'] });
  });

  it('reports fields that belong together with their full paths', async () => {
    const order = { code: 'a', mcc: '5734', payment: { amount: 1, payment_method: 'pix' } };
    const sentences = ['Send `customer.id`, or `customer.name` and `customer.email`.'];
    assert.deepEqual(await errorsOf('/charges/orders', { ...order, customer: {} }), {
      'customer.name': sentences,
      'customer.email': sentences,
    });
    assert.deepEqual(await errorsOf('/charges/orders', { ...order, customer: { name: 'Ana Souza' } }), {
      'customer.email': sentences,
    });
  });

  it('is not reported for a field that another one requires', async () => {
    const order = { code: 'a', mcc: '5734', customer: { name: 'Ana Souza', email: 'ana@example.com' } };
    const payment = { amount: 1, payment_method: 'credit_card' };
    assert.deepEqual(await errorsOf('/charges/orders', { ...order, payment }), {
      'payment.credit_card': ['This field is required.'],
    });
  });
});

describe('both of two fields that exclude each other', () => {
  const id = UNKNOWN_ID;
  const requests: [path: string, body: object, errors: object][] = [
    ['/subscriptions/cancel', { id, code: 'club-1' }, { code: ['Send `id` or `code`, not both.'] }],
    [
      '/sandbox/clock/advance',
      { to: '2030-01-01T00:00:00Z', days: 1 },
      { days: ['Send `to` or `days`, not both.'] },
    ],
    [
      '/sandbox/scripts',
      { customer_id: id, card_id: id, outcomes: [{ operation: 'authorize', outcome: 'approve' }] },
      { card_id: ['Send `customer_id` or `card_id`, not both.'] },
    ],
  ];
  for (const [path, body, errors] of requests) {
    it(`are named by ${path}`, async () => {
      const answer = await service.call('POST', path, { body });
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(answer.body.errors, errors);
    });
  }
});
