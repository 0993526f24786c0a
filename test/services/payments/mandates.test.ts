/** Pix Automático: mandates and their charges, with the real acquirer simulator and its signed notifications. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { advanceBy, MINUTE_MS, SECOND_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { AMOUNT, METHOD, mandateCalls } from '../../support/payments/mandate-calls.ts';
import {
  authorizeMandate,
  cancelMandate,
  endMandateByPayer,
  mandateOf,
  requestMandate,
} from '../../support/payments/mandates.ts';
import { deliver } from '../../support/payments/notifications.ts';
import { parseBrCode } from '../../support/payments/parse-br-code.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { created, statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const { script, stateOf, lastDiscrepancy, report, authorized, sentCharge } = mandateCalls(service, shop);

/** The payer authorizes at the acquirer, and none of its notifications arrive. */
async function authorizeMandateSilently(id: string): Promise<void> {
  const { account } = shop;
  await service.rows(
    `update simulator.payments set state = case when amount_centavos = 0 then 'authorized' else 'captured' end,
     captured_centavos = amount_centavos, captured_at = created_at, mandate = mandate || '{"state":"authorized"}'
    where account = :account and reference = :reference`,
    { account, reference: await shop.reference(id) },
  );
  await service.rows('delete from simulator.scheduled_events where account = :account', { account });
}

/** The QR code expires, and the payer authorizes just after the acquirer was asked about it. */
async function expireJustBefore(payerActs: () => Promise<void>): Promise<void> {
  const spy = service.intercept((real) => ({
    inquire: async (inquiry) => {
      const outcome = await real.inquire(inquiry);
      await payerActs();
      return outcome;
    },
  }));
  await advanceBy(shop, 30 * MINUTE_MS).finally(spy.undo);
}

async function stateAtAcquirer(id: string): Promise<string> {
  const [row] = await service.rows<{ state: string }>(
    "select mandate ->> 'state' as state from simulator.payments where account = :account and reference = :reference",
    { account: shop.account, reference: await shop.reference(id) },
  );
  return row!.state;
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
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.updated', 'payment.authorized']);
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

  test('expires with its QR code; one that is authorized just after is canceled at the acquirer', async () => {
    const id = await requestMandate(shop);
    const authorization = { mandate: { charge_code: 'RR1' } };
    const late = await report(id, 'mandate.authorized', authorization);
    await expireJustBefore(() => authorizeMandateSilently(id));
    assert.deepEqual(statusesOf(await shop.payment(id)), ['scheduled', 'expired']);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.updated', 'payment.expired']);
    assert.equal(await stateOf(id), 'expired');
    assert.equal(await deliver(service, late), 204);
    assert.deepEqual([(await shop.payment(id)).status, await stateOf(id)], ['expired', 'expired']);
    await advanceBy(shop, SECOND_MS);
    assert.equal(await stateAtAcquirer(id), 'canceled');
    assert.equal(await deliver(service, await report(id, 'mandate.authorized', authorization)), 204);
    const events = await shop.events(id);
    assert.deepEqual(
      events.map(({ event, data }) => `${event} ${data.pix_recurring.charge_code}`),
      ['payment.created null', 'payment.updated null', 'payment.expired null', 'payment.updated RR1'],
    );
    assert.deepEqual(events.at(-1)!.data, await shop.payment(id));
    assert.equal(await lastDiscrepancy(), undefined);
  });

  test('is refused with the reason of the payer, which a script can choose', async () => {
    const customerId = await shop.customer();
    await script(customerId, 'mandate', 'AP14');
    const id = await requestMandate(shop, { customerId });
    await advanceBy(shop, MINUTE_MS);
    const { status, refusal } = await shop.payment(id);
    assert.deepEqual([status, refusal.code, refusal.retryable], ['refused', 'AP14', false]);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.updated', 'payment.refused']);
    assert.equal(await stateOf(id), 'rejected');
  });

  test('is authorized once, also if the notification comes twice or before our answer', async () => {
    const id = await requestMandate(shop);
    const mandate = { charge_code: `RR99999004${'20260101'}AAAAAAAAAAA` };
    const first = await report(id, 'mandate.authorized', { mandate });
    assert.equal(await deliver(service, first), 204);
    assert.equal(await deliver(service, first), 204);
    assert.equal(await deliver(service, await report(id, 'mandate.authorized', { mandate })), 204);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.updated', 'payment.authorized']);
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
      const names = ['payment.created', 'payment.updated', 'payment.authorized', 'payment.updated'];
      const isLater = order[1] === 'mandate.authorized';
      assert.deepEqual(await shop.eventNames(id), isLater ? [...names, 'payment.updated'] : names);
      assert.deepEqual((await shop.events(id)).at(-1)!.data, await shop.payment(id));
      await authorizeMandate(shop, id);
    }
  });

  test('that expired is still paid by money that comes later, and its mandate stays expired', async () => {
    const id = await requestMandate(shop, { amount_centavos: AMOUNT });
    const before = await report(id, 'pix_recurring.paid');
    await expireJustBefore(() => authorizeMandateSilently(id));
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
      assert.deepEqual(await shop.eventNames(id), [
        'payment.created',
        'payment.updated',
        'payment.authorized',
      ]);
    }
  });

  test('by us before the payer has decided cancels its payment', async () => {
    for (const amount_centavos of [0, AMOUNT]) {
      const id = await requestMandate(shop, { amount_centavos });
      await cancelMandate(shop, id);
      const payment: Json = await shop.payment(id);
      assert.deepEqual([payment.status, await stateOf(id)], ['canceled', 'canceled']);
      assert.equal((await shop.eventNames(id)).at(-1), 'payment.cancel_confirmed');
      const delayed = await report(id, 'mandate.authorized', {
        mandate: { charge_code: `RR${amount_centavos}` },
      });
      assert.equal(await deliver(service, delayed), 204);
      assert.deepEqual([(await shop.payment(id)).status, await stateOf(id)], ['canceled', 'canceled']);
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
