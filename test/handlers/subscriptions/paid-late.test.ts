/** Customers who pay an expired charge of a cycle while another charge of that cycle has no answer yet. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { advance } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { runBillingSteps, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { GOOD, invoices, NO_FUNDS, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** A subscription whose boleto has expired, and whose new card was charged for the same cycle without an answer. */
async function chargedAfterBoleto(
  number: string,
): Promise<{ readonly id: string; readonly boletoId: string }> {
  const { id, customer_id, payment } = await created(
    subscribe(shop, issuedBody({ payment_method: 'bank_slip' })),
  );
  await shop.simulate(payment.id, 'paid');
  await advance(shop, { to: `${addDays(month(1), 5)}T06:00:00-03:00` });
  const [, { payments }] = (await invoices(shop, id)) as [Json, Json];
  assert.deepEqual(
    payments.map(({ status }: Json) => status),
    ['expired', 'waiting_payment'],
  );
  const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id, number) } };
  assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
  await runPaymentSteps(service.deps);
  await withLostAnswers(service, () => runBillingSteps(service.deps));
  const charged = await read(id);
  assert.deepEqual([charged.payment.payment_method, charged.payment.status], ['credit_card', 'processing']);
  return { id, boletoId: payments[0].id };
}

async function reportPaid(paymentId: string): Promise<number> {
  const fields = { amount_centavos: 4_990 };
  const reference = await shop.reference(paymentId);
  return deliver(service, notification(shop.account, reference, 'bank_slip.paid', fields));
}

describe('an expired boleto that is paid while a card is charged for its cycle', () => {
  test('counts if the card is refused', async () => {
    const { id, boletoId } = await chargedAfterBoleto(NO_FUNDS);
    assert.equal(await reportPaid(boletoId), 409, 'the acquirer sends the notification again');
    assert.equal((await shop.payment(boletoId)).status, 'expired');
    await reconcile(service);
    assert.equal(await reportPaid(boletoId), 204);
    const { status, successful_charges } = await read(id);
    assert.deepEqual([status, successful_charges], ['active', 2]);
    assert.deepEqual(await discrepanciesOf(service, shop.account), []);
  });

  test('is a discrepancy if the card is charged', async () => {
    const { id, boletoId } = await chargedAfterBoleto(GOOD);
    assert.equal(await reportPaid(boletoId), 409);
    await reconcile(service);
    assert.equal(await reportPaid(boletoId), 204);
    const { status, successful_charges, payment } = await read(id);
    assert.deepEqual([status, successful_charges, payment.status], ['active', 2, 'paid']);
    assert.equal((await shop.payment(boletoId)).status, 'expired');
    const found = await discrepanciesOf(service, shop.account);
    assert.deepEqual(
      found.map(({ reason, payment_id }) => [reason, payment_id]),
      [['cycle_paid_twice', boletoId]],
    );
  });
});
