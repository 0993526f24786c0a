import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { findMerchant } from '../../db/merchants/merchants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import { returnResult } from '../../services/deps.ts';
import { createOrder } from '../../services/orders/create-order.ts';
import type { NewOrder } from '../../services/orders/new-order.ts';
import { cancelPayment, capturePayment } from '../../services/payments/capture-payment.ts';
import { refundPayment } from '../../services/payments/refund-payment.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { lockPaymentRow } from '../support/payments/payment-lock.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';

/**
 * A run that stalls past its lease and the run that took the request over, both alive: whichever writes the intent,
 * both must return the one result, and neither may take the effect of the other for that of another request.
 */
let service: TestService;
let shop: Shop;
let merchant: Merchant;

before(async () => {
  service = await startTestService({ jobs: false });
  shop = await Shop.open(service);
  merchant = (await findMerchant(service.deps.db, shop.onboarded.merchant))!;
});
after(async () => {
  await assertAcquirerAgrees(service, shop.account);
  await service.stop();
});

describe('two simultaneous runs of one request', () => {
  for (const [what, run, status] of [
    ['a capture', capturePayment, 'paid'],
    ['a cancellation', cancelPayment, 'canceled'],
  ] as const) {
    test(`have one effect: ${what}`, async () => {
      const { id } = await shop.cardPayment({ capture: false });
      const command = {
        operationId: randomUUID(),
        isRerun: true,
        paymentIdentifier: id,
        amount_centavos: null,
      };
      const once = () => run(service.deps, merchant, command, returnResult<Payment>);
      const ends = await Promise.all([once(), once(), once()]);
      assert.deepEqual(
        ends.map((end) => end.status),
        [status, status, status],
      );
    });
  }

  for (const [what, amount_centavos] of [
    ['the whole', null],
    ['a part', 3_000],
  ] as const) {
    test(`refund ${what} once, and both return the refund`, async () => {
      const { id } = await shop.cardPayment({ amount: 10_000 });
      await using hold = await lockPaymentRow(service, id);
      const refund = { id: randomUUID(), paymentIdentifier: id, amount_centavos, reason: null, metadata: {} };
      const runs = [false, true, true].map(
        (isRerun): Promise<Refund> =>
          refundPayment(service.deps, merchant, { ...refund, isRerun }, returnResult),
      );
      await until('all have found that none has begun', async () => {
        const waiting = await service.rows(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length === runs.length;
      });
      await hold.release();
      const returned = (await Promise.all(runs)).map((run) => [run.id, run.amount_centavos, run.status]);
      const expected = `${refund.id},${amount_centavos ?? 10_000},succeeded`;
      assert.deepEqual(new Set(returned.map(String)), new Set([expected]));
      assert.equal((await shop.get(`/payments/${id}/refunds`)).data.length, 1);
    });
  }

  test('create one order', async () => {
    const body = shop.pixOrderBody();
    const order: NewOrder = {
      id: randomUUID(),
      isRerun: true,
      code: body.code,
      mcc: '5734',
      description: null,
      notificationUrl: null,
      customer: body.customer,
      amount_centavos: 5_000,
      currency: 'BRL',
      installments: 1,
      payment: { method: 'pix' },
      split: [],
      items: [],
      metadata: {},
    };
    const once = () => createOrder(service.deps, merchant, order, returnResult);
    const placed = await Promise.all([once(), once(), once()]);
    assert.deepEqual(new Set(placed.map((one) => one.payment.id)).size, 1);
    assert.equal((await shop.get(`/payments?order_code=${body.code}`)).data.length, 1);
  });
});
