/** Pix Automático: mandates and their charges, with the real acquirer simulator and its signed notifications. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay, startOfMerchantDay } from '../../../domain/local-time.ts';
import { reconcile, withLostAnswers } from '../../support/acquirer-calls.ts';
import { advance, advanceBy, clockNow, HOUR_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { discrepanciesOf } from '../../support/discrepancies.ts';
import {
  authorizeMandate,
  cancelMandate,
  endMandateByPayer,
  mandateOf,
  requestMandate,
  scheduleCharge,
  sendCharge,
} from '../../support/mandates.ts';
import { deliver, notification } from '../../support/notifications.ts';
import { parseBrCode } from '../../support/parse-br-code.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, created, statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const AMOUNT = 4_990;
const METHOD = 'pix_recurring' as const;

const script = (customer_id: string, operation: string, ...outcomes: string[]) =>
  created(
    shop.post('/sandbox/scripts', {
      customer_id,
      outcomes: outcomes.map((outcome) => ({ operation, outcome })),
    }),
  );

const stateOf = async (paymentId: string) => (await mandateOf(shop, paymentId)).state;
const lastDiscrepancy = async () => (await discrepanciesOf(service, shop.account)).at(-1)?.reason;
const inTwoDays = async () => addDays(merchantDay(new Date(await clockNow(shop))), 2);
const at6h = (day: string) => ({
  to: new Date(startOfMerchantDay(day).getTime() + 6 * HOUR_MS).toISOString(),
});

/** A notification about a payment as the acquirer would send it, with the right reference and amount. */
async function report(paymentId: string, type: Parameters<typeof notification>[2], fields: object = {}) {
  const { amount } = await shop.payment(paymentId);
  const reference = await shop.reference(paymentId);
  return notification(shop.account, reference, type, { method: METHOD, amount_centavos: amount, ...fields });
}

async function authorized(wanted: Parameters<typeof requestMandate>[1] = {}): Promise<string> {
  const id = await requestMandate(shop, wanted);
  await authorizeMandate(shop, id);
  return id;
}

/** A charge that is due in two days and was sent. */
async function sentCharge(mandateId: string): Promise<{ id: string; due: string }> {
  const due = await inTwoDays();
  const id = await scheduleCharge(shop, mandateId, due);
  await sendCharge(shop, id);
  return { id, due };
}

beforeEach(() => service.setAhead(0));

describe('a mandate without a charge (journey 2)', () => {
  test('is scheduled with a QR code of 30 minutes, and AUTHORIZED when the payer has authorized it', async () => {
    const id = await requestMandate(shop);
    const asked = await shop.payment(id);
    assert.deepEqual([asked.status, asked.amount, asked.payment_method], ['scheduled', 0, METHOD]);
    const fields = parseBrCode(asked.pix_recurring.qr_code)!;
    assert.match(fields.get('80.25') ?? '', /rec/);
    assert.equal(fields.has('26.25'), false);
    assert.match(asked.pix_recurring.qr_code_image, /^data:image\/png;base64,/);
    assert.equal(asked.pix_recurring.charge_code, null);
    assert.match(asked.pix_recurring.acquirer_reference, /^acq_/);
    const validity_ms = Date.parse(asked.pix_recurring.expires_at) - Date.parse(asked.created_at);
    assert.equal(validity_ms, 30 * MINUTE_MS);
    assert.equal(await stateOf(id), 'created');

    await authorizeMandate(shop, id);
    const payment = await shop.payment(id);
    assert.deepEqual(statusesOf(payment), ['scheduled', 'AUTHORIZED']);
    assert.match(payment.pix_recurring.charge_code, /^RR\w{27}$/);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.authorized']);
    const mandate = await mandateOf(shop, id);
    assert.deepEqual([mandate.state, mandate.chargeCode], ['authorized', payment.pix_recurring.charge_code]);
    const due = await service.rows('select due_at from payments where id = :id', { id });
    assert.deepEqual(due, [{ due_at: null }], 'the QR code no longer expires');
  });

  test('expires by our clock too, if the acquirer does not report it', async () => {
    const ids = [await requestMandate(shop), await requestMandate(shop, { amount_centavos: AMOUNT })];
    await service.rows('delete from simulator.scheduled_events where account = :account', {
      account: shop.account,
    });
    const { steps } = await advanceBy(shop, 30 * MINUTE_MS);
    for (const id of ids) {
      assert.deepEqual([(await shop.payment(id)).status, await stateOf(id)], ['expired', 'expired']);
      assert.equal((await shop.eventNames(id)).at(-1), 'payment.expired');
    }
    const expiries = steps.filter(({ step }: Json) => step === 'expire_pix_recurring');
    assert.equal(expiries.length, 2);
  });

  test('expires with its QR code; an authorization that is reported later is a discrepancy', async () => {
    const id = await requestMandate(shop);
    await advanceBy(shop, 30 * MINUTE_MS);
    assert.deepEqual(statusesOf(await shop.payment(id)), ['scheduled', 'expired']);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.expired']);
    assert.equal(await stateOf(id), 'expired');
    const late = await report(id, 'mandate.authorized', { mandate: { charge_code: 'RR1' } });
    assert.equal(await deliver(service, late), 204);
    assert.deepEqual([(await shop.payment(id)).status, await stateOf(id)], ['expired', 'expired']);
    assert.equal(await lastDiscrepancy(), 'illegal_move');
  });

  test('is refused with the reason of the payer, which a script can choose', async () => {
    const customerId = await shop.customer();
    await script(customerId, 'mandate', 'AP14');
    const id = await requestMandate(shop, { customerId });
    await advanceBy(shop, MINUTE_MS);
    const { status, refusal } = await shop.payment(id);
    assert.deepEqual([status, refusal.code, refusal.retryable], ['refused', 'AP14', false]);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.refused']);
    assert.equal(await stateOf(id), 'rejected');
  });

  test('is authorized once, also if the notification comes twice or before our answer', async () => {
    const id = await requestMandate(shop);
    const mandate = { charge_code: `RR99999004${'20260101'}AAAAAAAAAAA` };
    const first = await report(id, 'mandate.authorized', { mandate });
    assert.equal(await deliver(service, first), 204);
    assert.equal(await deliver(service, first), 204);
    assert.equal(await deliver(service, await report(id, 'mandate.authorized', { mandate })), 204);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.authorized']);
    // The acquirer's own records have to agree at the end.
    await authorizeMandate(shop, id);

    const early = await withLostAnswers(service, () => requestMandate(shop));
    await authorizeMandate(shop, early);
    assert.deepEqual(statusesOf(await shop.payment(early)), ['scheduled', 'AUTHORIZED']);
    assert.equal(await reconcile(service), 1);
    const settled = await shop.payment(early);
    assert.equal(settled.status, 'AUTHORIZED');
    assert.notEqual(settled.pix_recurring.qr_code, null, 'the late answer adds the QR code');
  });
});

describe('a mandate with its first charge (journey 3)', () => {
  test('is paid and authorized by one QR code', async () => {
    const id = await requestMandate(shop, { amount_centavos: AMOUNT });
    const asked = await shop.payment(id);
    assert.equal(asked.status, 'waiting_payment');
    const fields = parseBrCode(asked.pix_recurring.qr_code)!;
    assert.ok(fields.has('26.25') && fields.has('80.25'));

    await authorizeMandate(shop, id);
    const paid = await shop.payment(id);
    assert.deepEqual(statusesOf(paid), ['processing', 'waiting_payment', 'paid']);
    assert.equal(paid.captured_amount, AMOUNT);
    assert.deepEqual(await shop.eventNames(id), [
      ...['payment.created', 'payment.updated'],
      ...['payment.authorized', 'payment.updated'],
    ]);
    const mandate = await mandateOf(shop, id);
    assert.deepEqual([mandate.state, mandate.chargeCode], ['authorized', paid.pix_recurring.charge_code]);
    const refunded = await created(shop.refund(id));
    assert.equal(refunded.status, 'succeeded');
    assert.equal(await stateOf(id), 'authorized', 'a refund does not end the mandate');
  });

  test('is paid the same way by simulate', async () => {
    const id = await requestMandate(shop, { amount_centavos: AMOUNT });
    const answer = await shop.post(`/sandbox/payments/${id}/simulate`, { outcome: 'paid' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.status, 'paid');
    assert.equal(await stateOf(id), 'authorized');
  });

  test('gets the id of its mandate whichever report comes first', async () => {
    for (const order of [
      ['pix_recurring.paid', 'mandate.authorized'],
      ['mandate.authorized', 'pix_recurring.paid'],
    ] as const) {
      const id = await requestMandate(shop, { amount_centavos: AMOUNT });
      const charge_code = `RR${id.replaceAll('-', '').slice(0, 27)}`;
      for (const type of order) {
        const mandate = type === 'mandate.authorized' ? { charge_code } : null;
        assert.equal(await deliver(service, await report(id, type, { mandate })), 204);
        assert.equal(await stateOf(id), 'authorized');
      }
      assert.equal((await shop.payment(id)).pix_recurring.charge_code, charge_code);
      assert.equal((await mandateOf(shop, id)).chargeCode, charge_code);
      assert.equal((await shop.eventNames(id)).length, 4);
      await authorizeMandate(shop, id);
    }
  });

  test('that expired is still paid by money that comes later, and its mandate stays expired', async () => {
    const id = await requestMandate(shop, { amount_centavos: AMOUNT });
    const before = await report(id, 'pix_recurring.paid');
    await authorizeMandateSilently(id);
    await advanceBy(shop, 30 * MINUTE_MS);
    assert.deepEqual([(await shop.payment(id)).status, await stateOf(id)], ['expired', 'expired']);
    assert.equal(await deliver(service, before), 204);
    assert.deepEqual(statusesOf(await shop.payment(id)).slice(-2), ['expired', 'paid']);
    assert.equal(await stateOf(id), 'expired');
  });

  test('is refused when the payer rejects the mandate; a rejection after the payment is a discrepancy', async () => {
    const customerId = await shop.customer();
    await script(customerId, 'mandate', 'AP13');
    const id = await requestMandate(shop, { amount_centavos: AMOUNT, customerId });
    await advanceBy(shop, MINUTE_MS);
    assert.deepEqual([(await shop.payment(id)).refusal.code, await stateOf(id)], ['AP13', 'rejected']);

    const paid = await authorized({ amount_centavos: AMOUNT });
    assert.equal(await deliver(service, await report(paid, 'mandate.rejected')), 204);
    assert.deepEqual([(await shop.payment(paid)).status, await stateOf(paid)], ['paid', 'authorized']);
    assert.equal(await lastDiscrepancy(), 'illegal_move');
  });

  test('can be canceled before it is paid, with its mandate', async () => {
    const id = await requestMandate(shop, { amount_centavos: AMOUNT });
    const answer = await shop.cancel(id);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.status, await stateOf(id)], ['canceled', 'canceled']);
  });
});

/** The payer authorizes at the acquirer, and none of its notifications arrive. */
async function authorizeMandateSilently(id: string): Promise<void> {
  const { account } = shop;
  await service.rows(
    `update simulator.payments set state = 'captured', captured_centavos = amount_centavos, captured_at = created_at,
       mandate = mandate || '{"state":"authorized"}'
      where account = :account and reference = :reference`,
    { account, reference: await shop.reference(id) },
  );
  await service.rows('delete from simulator.scheduled_events where account = :account', { account });
}

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

describe('the end of a mandate', () => {
  test('by the payer: the reason is kept, and charges of later days are canceled with it', async () => {
    const mandate = await authorized();
    const { id } = await sentCharge(mandate);
    await endMandateByPayer(shop, mandate, 'ACCL');
    const ended = await mandateOf(shop, mandate);
    assert.deepEqual([ended.state, ended.cancellationCode], ['canceled', 'ACCL']);
    assert.equal((await shop.payment(mandate)).status, 'AUTHORIZED');
    assert.equal((await shop.payment(id)).status, 'canceled');
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.cancel_confirmed');
  });

  test('by us, also if the answer is lost; the payment of 0 keeps its status', async () => {
    const first = await authorized();
    await cancelMandate(shop, first);
    assert.equal(await stateOf(first), 'canceled');

    const second = await authorized();
    await withLostAnswers(service, () => cancelMandate(shop, second));
    assert.equal(await stateOf(second), 'authorized');
    assert.equal(await reconcile(service), 1);
    assert.equal(await stateOf(second), 'canceled');
    for (const id of [first, second]) {
      assert.equal((await shop.payment(id)).status, 'AUTHORIZED');
      assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.authorized']);
    }
  });

  test('by us before the payer has decided cancels its payment', async () => {
    for (const amount_centavos of [0, AMOUNT]) {
      const id = await requestMandate(shop, { amount_centavos });
      await cancelMandate(shop, id);
      const payment: Json = await shop.payment(id);
      assert.deepEqual([payment.status, await stateOf(id)], ['canceled', 'canceled']);
      assert.equal((await shop.eventNames(id)).at(-1), 'payment.cancel_confirmed');
    }
  });

  test('a request that never arrived is refused, and its mandate rejected', async () => {
    const spy = service.intercept(() => ({ mandate: async () => ({ kind: 'unknown', cause: 'time_out' }) }));
    const ids = [await requestMandate(shop), await requestMandate(shop, { amount_centavos: AMOUNT })];
    spy.undo();
    await reconcile(service);
    for (const id of ids)
      assert.deepEqual([(await shop.payment(id)).status, await stateOf(id)], ['refused', 'rejected']);
  });
});
