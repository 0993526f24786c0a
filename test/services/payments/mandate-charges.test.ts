/** Pix Automático: charges of mandates, with the real acquirer simulator and its signed notifications. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startOfMerchantDay } from '../../../domain/local-time.ts';
import { advance, HOUR_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { AMOUNT, mandateCalls } from '../../support/payments/mandate-calls.ts';
import { mandateOf, scheduleCharge, sendCharge } from '../../support/payments/mandates.ts';
import { deliver } from '../../support/payments/notifications.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const { script, stateOf, lastDiscrepancy, inTwoDays, at6h, report, authorized, sentCharge } = mandateCalls(
  service,
  shop,
);

beforeEach(() => service.setAhead(0));

describe('a charge of an authorized mandate', () => {
  test('is sent without an event, and paid at 06:00 of its due date', async () => {
    const mandate = await authorized();
    const due = await inTwoDays();
    const id = await scheduleCharge(shop, mandate, due);
    assert.deepEqual(await shop.eventNames(id), ['payment.created']);
    await sendCharge(shop, id);
    const sent = await shop.payment(id);
    assert.deepEqual(statusesOf(sent), ['scheduled', 'waiting_payment']);
    assert.deepEqual(await shop.eventNames(id), ['payment.created']);
    assert.deepEqual(
      [sent.pix_recurring.qr_code, sent.pix_recurring.expires_at, sent.billing_date],
      [null, null, due],
    );
    assert.equal(sent.pix_recurring.charge_code, (await mandateOf(shop, mandate)).chargeCode);

    await advance(shop, at6h(due));
    const paid = await shop.payment(id);
    assert.deepEqual(statusesOf(paid), ['scheduled', 'waiting_payment', 'paid']);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.capture_confirmed']);
    const { at } = paid.history.at(-1);
    assert.equal(new Date(at).toISOString(), at6h(due).to);
  });

  test('is refused with a reason of Pix Automático, which a script of authorize can choose', async () => {
    const customerId = await shop.customer();
    const mandate = await authorized({ customerId });
    await script(customerId, 'authorize', 'AM02', 'AC05');
    for (const [code, retryable] of [
      ['AM02', true],
      ['AC05', false],
    ]) {
      const { id, due } = await sentCharge(mandate);
      await advance(shop, at6h(due));
      const { status, refusal } = await shop.payment(id);
      assert.deepEqual([status, refusal.code, refusal.retryable], ['refused', code, retryable]);
      assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.refused']);
    }
    assert.equal(await stateOf(mandate), 'authorized', 'a refused charge does not end the mandate');
  });

  test('is refused at once if its amount is not the one of the mandate', async () => {
    const mandate = await authorized({ recurringAmount_centavos: AMOUNT + 1 });
    const { id } = await sentCharge(mandate);
    const { status, refusal } = await shop.payment(id);
    assert.deepEqual([status, refusal.code], ['refused', 'AM09']);
  });

  test('is refused by simulate with a reason of Pix Automático, once it is sent', async () => {
    const mandate = await authorized();
    const id = await scheduleCharge(shop, mandate, await inTwoDays());
    const simulate = (reason?: string) =>
      shop.post(`/sandbox/payments/${id}/simulate`, { outcome: 'refused', ...(reason && { reason }) });
    assertRefused(await simulate('AC05'), 'status');
    await sendCharge(shop, id);
    assertRefused(await simulate('expired_card'), 'reason');
    assertRefused(await simulate('AP13'), 'reason');
    const { status, body } = await simulate('AC05');
    assert.deepEqual([status, body.status, body.refusal.code], [200, 'refused', 'AC05']);
  });

  test('keeps a reason that the service does not know', async () => {
    const { id } = await sentCharge(await authorized());
    const refusal = { code: 'ZZ99', message: 'Unknown', retryable: true };
    assert.equal(await deliver(service, await report(id, 'pix_recurring.refused', { refusal })), 204);
    assert.equal((await shop.payment(id)).refusal.code, 'ZZ99');
    await shop.simulate(id, 'refused');
  });

  test('is paid once if its answer is lost and its notification comes twice', async () => {
    const mandate = await authorized();
    const due = await inTwoDays();
    const id = await scheduleCharge(shop, mandate, due);
    await withLostAnswers(service, () => sendCharge(shop, id));
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
    assert.equal(await reconcile(service), 1);
    assert.match((await shop.payment(id)).pix_recurring.acquirer_reference, /^acq_/);
    await shop.simulate(id, 'paid');
    assert.equal((await shop.events(id)).length, 2);
    assert.equal(await deliver(service, await report(id, 'pix_recurring.paid')), 204);
    assert.equal((await shop.events(id)).length, 2);
  });

  test('is refused if the request never arrived, and then is never executed', async () => {
    const mandate = await authorized();
    const id = await scheduleCharge(shop, mandate, await inTwoDays());
    const spy = service.intercept(() => ({
      mandate_charge: async () => ({ kind: 'unknown', cause: 'time_out' }),
    }));
    await sendCharge(shop, id);
    spy.undo();
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
    await reconcile(service);
    const { status, refusal } = await shop.payment(id);
    assert.deepEqual([status, refusal.code, refusal.retryable], ['refused', 'processing_error', true]);
  });

  test('is withdrawn by a cancellation before 22:00 of the day before; after that it is paid', async () => {
    const mandate = await authorized();
    const early = await sentCharge(mandate);
    assert.equal((await shop.cancel(early.id)).body.status, 'canceled');
    const late = await sentCharge(mandate);
    const lastHour = new Date(startOfMerchantDay(late.due).getTime() - HOUR_MS);
    await advance(shop, { to: lastHour.toISOString() });
    assertRefused(await shop.cancel(late.id), 'status');
    await advance(shop, at6h(late.due));
    assert.equal((await shop.payment(late.id)).status, 'paid');
  });

  test('cannot be the subject of a report about a mandate', async () => {
    const { id } = await sentCharge(await authorized());
    const wrong = await report(id, 'mandate.canceled', { mandate: { cancellation_code: 'ACCL' } });
    assert.equal(await deliver(service, wrong), 204);
    assert.equal(await lastDiscrepancy(), 'operation_mismatch');
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
  });
});
