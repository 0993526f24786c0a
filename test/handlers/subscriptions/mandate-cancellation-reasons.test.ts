/** Why a payer, or the payer's bank, ended a mandate reaches the subscription and the payment that ends with it. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { mandateCancellation } from '../../../domain/payments/pix-automatico-reasons.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import type { NotificationType } from '../../../gateway/acquirer.ts';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import {
  authorized,
  changedToPix,
  endMandate,
  requested,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { story, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const REASONS = contract.components.schemas.MandateCancellationReason.enum;
const due = () => billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);
const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** Delivers that the mandate of a request was canceled, or that a charge was. */
async function report(payment: Json, type: NotificationType, mandate: object): Promise<number> {
  const sent = notification(shop.account, await shop.reference(payment.id), type, {
    method: 'pix_recurring',
    amount_centavos: payment.amount,
    mandate,
  });
  return deliver(service, sent);
}

const reported = async (payment: Json, mandate: object) =>
  assert.equal(await report(payment, 'mandate.canceled', mandate), 204);

describe('the reason of a mandate that the payer or the bank ends', () => {
  for (const [when, daysBefore, time] of [
    ['scheduled', 3, '06:00'],
    ['sent', 1, '12:00'],
    ['sent, after the last moment of a withdrawal', 1, '22:30'],
  ] as const) {
    test(`is that of the charge that is ${when}, for each code`, async () => {
      const ids: string[] = [];
      for (const _ of REASONS) ids.push((await authorized(shop)).id);
      await advanceTo(addDays(due(), -daysBefore), time);
      for (const [index, code] of REASONS.entries()) {
        const { payment } = await read(ids[index]!);
        assert.deepEqual([payment.refusal, payment.amount], [null, 4_990]);
        await endMandate(shop, ids[index]!, code);
      }
      await advanceTo(due(), '05:59');
      for (const [index, code] of REASONS.entries()) {
        const { status, cancellation_reason, payment, ends_at } = await read(ids[index]!);
        assert.deepEqual([status, cancellation_reason, payment.status], ['canceled', code, 'canceled']);
        // The end of the paid period.
        assert.equal(Date.parse(ends_at), Date.parse(`${due()}T06:00:00-03:00`));
        assert.deepEqual(payment.refusal, mandateCancellation(code));
      }
      const { data } = await shop.get('/events?event=payment.canceled&per_page=100');
      assert.deepEqual(data.map((event: Json) => event.data.refusal.code).sort(), REASONS.toSorted());
      await assertAcquirerAgrees(service, shop.account);
    });
  }

  test('is that of the payment by which the payer was to authorize it', async () => {
    for (const trial_days of [0, 7]) {
      const { id, payment } = await requested(shop, { trial_days });
      await reported(payment, { cancellation_code: 'ERSL' });
      const ended = await read(id);
      assert.deepEqual(
        [ended.status, ended.cancellation_reason, ended.payment.status],
        ['ended', 'ERSL', 'canceled'],
      );
      assert.deepEqual(ended.payment.refusal, mandateCancellation('ERSL'));
    }
  });

  test('does not end a subscription that is still paid by another method', async () => {
    const { id } = await subscribed(shop);
    const { payment } = await changedToPix(shop, id);
    await reported(payment, { cancellation_code: 'ERSL' });
    const { status, cancellation_reason } = await read(id);
    assert.deepEqual([status, cancellation_reason], ['active', null]);
    const { status: ended, refusal } = await shop.payment(payment.id);
    assert.deepEqual([ended, refusal.code], ['canceled', 'ERSL']);
  });

  test('is kept if it is a new code', async () => {
    const { id, payment } = await requested(shop);
    await reported(payment, { cancellation_code: 'ZZ99' });
    const { cancellation_reason, payment: ended } = await read(id);
    assert.deepEqual([cancellation_reason, ended.refusal.code], ['ZZ99', 'ZZ99']);
  });

  test('is awaited if the charge is reported first, so that it does not count as a charge that failed', async () => {
    const { id, payment: first } = await authorized(shop);
    await advanceTo(addDays(due(), -1), '22:30');
    const before = (await story(shop)).length;
    const { payment } = await read(id);
    const mandate = { charge_code: payment.pix_recurring.charge_code, cancellation_code: 'SLDB' };
    assert.equal(await report(payment, 'cancel.approved', mandate), 409);
    assert.equal((await read(id)).payment.status, 'waiting_payment');
    await reported(first, mandate);
    assert.equal(await report(payment, 'cancel.approved', mandate), 204);
    assert.deepEqual((await shop.payment(payment.id)).refusal, mandateCancellation('SLDB'));
    assert.deepEqual((await story(shop)).slice(before), [
      'subscription.canceled canceled',
      'subscription.inactivated canceled',
      'subscription.deleted canceled',
      'payment.canceled canceled',
      'payment.cancel_confirmed canceled',
      'subscription.charge_failed canceled',
    ]);
  });

  test('comes with the charge if the report of the mandate is lost', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(due(), -1));
    const { payment } = await read(id);
    const sent = notification(shop.account, await shop.reference(payment.id), 'cancel.approved', {
      method: 'pix_recurring',
      amount_centavos: payment.amount,
      mandate: { cancellation_code: 'FRUD' },
    });
    assert.equal(await deliver(service, sent), 409);
    service.setAhead(10 * MINUTE_MS);
    try {
      assert.equal(await deliver(service, sent, { age_ms: -10 * MINUTE_MS }), 204);
    } finally {
      service.setAhead(0);
    }
    assert.deepEqual((await shop.payment(payment.id)).refusal, mandateCancellation('FRUD'));
  });

  test('is not that of a charge that is still paid, nor of one that the merchant cancels', async () => {
    const [paid, canceled] = [await authorized(shop), await authorized(shop)];
    await advanceTo(addDays(due(), -1), '12:00');
    await shop.post('/subscriptions/cancel', { id: canceled.id, reason: 'Mudou' });
    await advanceTo(due(), '00:30');
    await endMandate(shop, paid.id, 'ACCL');
    await advanceTo(due(), '12:00');
    const charge = (await read(paid.id)).payment;
    assert.deepEqual([charge.status, charge.refusal], ['paid', null]);
    const { payment, cancellation_reason } = await read(canceled.id);
    assert.deepEqual([payment.status, payment.refusal, cancellation_reason], ['canceled', null, 'Mudou']);
  });
});
