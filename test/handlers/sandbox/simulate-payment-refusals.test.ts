import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import { simulate, simulated } from '../../support/payments/simulate-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

describe('401 and 403', () => {
  test('no key, and a key without the permission', async () => {
    const path = `/sandbox/payments/${randomUUID()}/simulate`;
    const body = { outcome: 'paid' };
    assert.equal((await shop.call('POST', path, { key: null, body })).status, 401);
    const { apiKey } = await service.newKey(shop.onboarded, ['payments:write', 'sandbox:read']);
    assert.equal((await shop.call('POST', path, { key: apiKey, body })).status, 403);
  });
});

describe('404', () => {
  test('an unknown payment, a malformed id, and a payment of another merchant by each of its identifiers', async () => {
    const { id: theirs, hash, order_code, pix } = await (await Shop.open(service)).pixPayment();
    for (const id of [randomUUID(), 'x', '%00', theirs, hash, order_code, pix.txid]) {
      const { status, body } = await simulate(shop, id, { outcome: 'paid' });
      assert.deepEqual([status, body], [404, { message: 'Payment not found.' }], id);
    }
  });
});

describe('422', () => {
  const card: SimulatedOutcome[] = ['paid', 'refused', 'expired', 'refund_succeeded', 'refund_denied'];
  const later: SimulatedOutcome[] = ['chargeback_dispute', 'chargeback_won', 'chargeback_lost'];
  const states: readonly (readonly [string, () => Promise<Json>, readonly SimulatedOutcome[]])[] = [
    ['a paid card', () => shop.cardPayment(), [...card, ...later, 'fraud', 'cancel_confirmed']],
    ['an authorized card', () => shop.authorized(), [...card, ...later, 'chargeback_requested']],
    [
      'a refused card',
      () => shop.cardPayment({ number: '4000000000000002' }),
      [...card, ...later, 'fraud', 'cancel_confirmed', 'chargeback_requested'],
    ],
    [
      'an open Pix',
      () => shop.pixPayment(),
      ['fraud', 'refund_succeeded', 'refund_denied', 'cancel_confirmed', 'chargeback_requested', ...later],
    ],
  ];
  for (const [what, made, outcomes] of states) {
    test(`${what}: ${outcomes.join(', ')}`, async () => {
      const payment = await made();
      for (const outcome of outcomes) assertRefused(await simulate(shop, payment.id, { outcome }), 'status');
      assert.deepEqual(await shop.payment(payment.id), payment);
    });
  }

  test('a paid Pix', async () => {
    const { id } = await shop.pixPayment();
    await simulated(shop, id, 'paid');
    const refused = await simulate(shop, id, { outcome: 'paid' });
    assertRefused(refused, 'status');
    assert.deepEqual(refused.body.errors.status, ['Only a payment that waits for its payer can be paid.']);
  });

  test('a reason for an outcome without one', async () => {
    const { id } = await shop.pixPayment();
    for (const outcome of ['paid', 'expired', 'chargeback_requested']) {
      assertRefused(await simulate(shop, id, { outcome, reason: 'lost_card' }), 'reason');
    }
  });

  test('a reason other than fraud for fraud', async () => {
    const { id } = await shop.authorized();
    for (const reason of ['lost_card', 'fraudulent']) {
      const refused = await simulate(shop, id, { outcome: 'fraud', reason });
      assertRefused(refused, 'reason');
      assert.deepEqual(refused.body.errors.reason, ['Must be one of: fraud.']);
    }
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
  });

  test('all unknown fields and values at once', async () => {
    const { id } = await shop.pixPayment();
    assertRefused(await simulate(shop, id, {}), 'outcome');
    const body = { outcome: 'stolen', reason: 'bad_weather', amount: 1 };
    assertRefused(await simulate(shop, id, body), 'outcome', 'reason', 'amount');
    assertRefused(await simulate(shop, id, { outcome: 'refused', reason: null }), 'reason');
  });
});

describe('503', () => {
  test('an acquirer that does not answer, and nothing changes', async () => {
    const { id } = await shop.pixPayment();
    const { simulate: real } = service.control;
    service.control.simulate = async () => {
      throw new Error('down');
    };
    const answer = await simulate(shop, id, { outcome: 'paid' }, 'down');
    service.control.simulate = real;
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'service_unavailable']);
    assert.equal((await simulate(shop, id, { outcome: 'paid' }, 'down')).body.status, 'paid');
  });
});
