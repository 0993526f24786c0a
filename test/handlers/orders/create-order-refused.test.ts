import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type CardRefusalCode,
  cardRefusal,
  isCardRefusalCode,
} from '../../../domain/payments/refusal-reasons.ts';
import { MAGIC_VALUES } from '../../../gateway/simulator/magic-values.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { statusesOf } from '../../support/shop.ts';

const { shop } = await sharedShop();

/** Contract rows 7.3 and 10.1: which may be retried. */
const CARDS: readonly [last4: string, number: string, code: CardRefusalCode, retryable: boolean][] = [
  ['0002', '4000000000000002', 'do_not_honor', true],
  ['9995', '4000000000009995', 'insufficient_funds', true],
  ['0119', '4000000000000119', 'processing_error', true],
  ['0341', '4000000000000341', 'do_not_honor', true],
  ['6975', '4000000000006975', 'limit_exceeded', true],
  ['0069', '4000000000000069', 'expired_card', false],
  ['0127', '4000000000000127', 'invalid_security_code', false],
  ['9987', '4000000000009987', 'lost_card', false],
  ['9979', '4000000000009979', 'stolen_card', false],
  ['1109', '4000000000001109', 'account_closed', false],
];

describe('201 with a refused payment', () => {
  for (const [last4, number, code, retryable] of CARDS) {
    test(`card …${last4}: ${code}`, async () => {
      const order = await shop.placed(await shop.cardOrderBody({ number }));
      const { payment } = order;
      assert.equal(order.status, 'refused');
      assert.deepEqual(statusesOf(payment), ['processing', 'refused']);
      assert.deepEqual(payment.refusal, { ...cardRefusal(code), code, retryable });
      assert.deepEqual([payment.captured_amount, payment.credit_card.authorization_code], [0, null]);
      assert.deepEqual(await shop.eventNames(payment.id), ['payment.created', 'payment.refused']);
    });
  }

  test('card …0019: fraud, with an event before the refusal', async () => {
    const payment = await shop.cardPayment({ number: '4100000000000019' });
    assert.deepEqual(
      [payment.status, payment.refusal.code, payment.refusal.retryable],
      ['refused', 'fraud', false],
    );
    const events = await shop.events(payment.id);
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.status]),
      [
        ['payment.created', 'processing'],
        ['payment.fraud_detected', 'refused'],
        ['payment.refused', 'refused'],
      ],
    );
  });

  test('an authorization is refused like a charge', async () => {
    const payment = await shop.cardPayment({ number: '4000000000009995', capture: false });
    assert.deepEqual([payment.status, payment.refusal.code], ['refused', 'insufficient_funds']);
  });

  test('a Pix that the acquirer refuses', async () => {
    const order = await shop.placed(shop.pixOrderBody(99_990_002));
    assert.deepEqual([order.status, order.payment.refusal.code], ['refused', 'processing_error']);
    assert.deepEqual([order.payment.pix.qr_code, order.payment.pix.qr_code_image], [null, null]);
  });

  for (const { value, behaviour } of MAGIC_VALUES.filter(({ kind }) => kind === 'document')) {
    if (!isCardRefusalCode(behaviour)) continue;
    test(`document ${value}: ${behaviour}`, async () => {
      const customer = { documents: [{ type: 'cpf', value }] };
      const payment = await shop.cardPayment({ customer });
      assert.deepEqual([payment.status, payment.refusal.code], ['refused', behaviour]);
    });
  }

  test('a refused card counts as unpaid: storing it again creates another one', async () => {
    const customerId = await shop.customer();
    const id = await shop.card(customerId, '4000000000000002');
    const asked = await shop.cardOrderBody();
    const payment = { ...asked.payment, credit_card: { id } };
    await shop.placed({ ...asked, customer: { id: customerId }, payment });
    assert.notEqual(await shop.card(customerId, '4000000000000002'), id);
  });
});
