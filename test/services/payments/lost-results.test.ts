/** Charges whose result is never notified: the acquirer is asked for it before they expire. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { bankSlipExpiry } from '../../../domain/payments/bank-slip.ts';
import type { InquiryOutcome } from '../../../gateway/acquirer.ts';
import { advance, advanceBy, DAY_MS, MINUTE_MS, stepNames } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { leaveOpen, loseNotifications } from '../../support/payments/lost-notifications.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop, statusesOf } from '../../support/shop.ts';
import { authorize, changedToPix, requested } from '../../support/subscriptions/pix-recurring-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

const MADE = {
  pix: () => shop.pixPayment(),
  bank_slip: () => shop.bankSlipPayment(),
} as const;
const METHODS = Object.keys(MADE) as (keyof typeof MADE)[];

const UNKNOWN = { kind: 'unknown', cause: 'time_out' } as const;
const expiryOf = ({ pix, bank_slip }: Json): string =>
  pix?.expires_at ?? bankSlipExpiry(bank_slip.due_at).toISOString();

/** A charge that the buyer has paid, of which the service gets no notification. */
async function paidInSilence(method: keyof typeof MADE): Promise<Json> {
  const payment = await MADE[method]();
  await loseNotifications(shop);
  await shop.simulate(payment.id, 'paid');
  assert.equal((await shop.payment(payment.id)).status, 'waiting_payment');
  return payment;
}

/** Runs `work` while the acquirer answers inquiries with this. */
async function answering(change: (real: InquiryOutcome) => InquiryOutcome, work: () => Promise<unknown>) {
  const spy = service.intercept((real) => ({
    inquire: async (inquiry) => change(await real.inquire(inquiry)),
  }));
  await work().finally(spy.undo);
}

for (const method of METHODS) {
  describe(`a charge by ${method} whose result is not notified`, () => {
    test('is paid when it would expire, with the events of a payment in time', async () => {
      const payment = await paidInSilence(method);
      const advanced = await advance(shop, { to: expiryOf(payment) });
      assert.deepEqual(stepNames(advanced), [`inquire_${method}`]);
      const paid = await shop.payment(payment.id);
      assert.deepEqual(statusesOf(paid), ['processing', 'waiting_payment', 'paid']);
      assert.equal(paid.captured_amount, payment.amount);
      assert.ok(!(await shop.eventNames(payment.id)).includes('payment.expired'));
    });

    test('is found by the job too', async () => {
      const payment = await paidInSilence(method);
      service.setAhead(Date.parse(expiryOf(payment)) - Date.now() + MINUTE_MS);
      await runPaymentSteps(service.deps);
      assert.equal((await shop.payment(payment.id)).status, 'paid');
    });

    test('expires at its time if it was not paid', async () => {
      const payment = await MADE[method]();
      await loseNotifications(shop);
      const advanced = await advance(shop, { to: expiryOf(payment) });
      assert.deepEqual(stepNames(advanced), [`expire_${method}`]);
      const { status, updated_at } = await shop.payment(payment.id);
      assert.deepEqual([status, Date.parse(updated_at)], ['expired', Date.parse(expiryOf(payment))]);
    });

    test('is refused if it was refused', async () => {
      const payment = await MADE[method]();
      await loseNotifications(shop);
      await shop.simulate(payment.id, 'refused');
      await advance(shop, { to: expiryOf(payment) });
      assert.equal((await shop.payment(payment.id)).status, 'refused');
    });

    test('keeps its status while the acquirer does not answer', async () => {
      const payment = await paidInSilence(method);
      await answering(
        () => UNKNOWN,
        () => advanceBy(shop, Date.parse(expiryOf(payment)) - Date.now() + 3 * DAY_MS),
      );
      assert.equal((await shop.payment(payment.id)).status, 'waiting_payment');
      await advanceBy(shop, DAY_MS);
      assert.equal((await shop.payment(payment.id)).status, 'paid');
    });

    test('keeps its status while its state cannot be read, and an error is logged from an hour after its expiry', async () => {
      const payment = await paidInSilence(method);
      const logged = () => service.log.filter(({ fields }) => fields.payment_id === payment.id);
      const expiry = Date.parse(expiryOf(payment)) - Date.now();
      const unreadable = (real: InquiryOutcome) =>
        real.kind === 'approved' ? { ...real, charge: { state: 'unreadable' } as const } : real;
      await answering(unreadable, async () => {
        service.setAhead(expiry + MINUTE_MS);
        await runPaymentSteps(service.deps);
        assert.deepEqual(logged(), []);
        service.setAhead(expiry + 62 * MINUTE_MS);
        await runPaymentSteps(service.deps);
      });
      const last = logged().at(-1);
      assert.equal(last?.message, 'no result for an expired charge');
      assert.equal(last.fields.answer, 'unreadable');
      assert.equal((await shop.payment(payment.id)).status, 'waiting_payment');
      service.setAhead(expiry + DAY_MS);
      await runPaymentSteps(service.deps);
      assert.equal((await shop.payment(payment.id)).status, 'paid');
    });

    test('expires, and is a discrepancy, if it was paid with another amount', async () => {
      const payment = await MADE[method]();
      await loseNotifications(shop);
      const occurredAt = new Date(payment.created_at);
      const charge = {
        state: 'paid',
        amount_centavos: 1,
        refusal: null,
        endToEndId: null,
        occurredAt,
      } as const;
      await answering(
        (real) => (real.kind === 'approved' ? { ...real, charge } : real),
        () => advance(shop, { to: expiryOf(payment) }),
      );
      assert.equal((await shop.payment(payment.id)).status, 'expired');
      const found = await discrepanciesOf(service, shop.account);
      assert.deepEqual(
        found.map(({ source, reason }) => [source, reason]),
        [['inquiry', 'amount_mismatch']],
      );
    });
  });
}

test('a notification during the inquiry comes first, and the money counts once', async () => {
  const payment = await paidInSilence('pix');
  const spy = service.intercept((real) => ({
    inquire: async (inquiry) => {
      const outcome = await real.inquire(inquiry);
      if (outcome.kind !== 'approved' || outcome.charge?.state !== 'paid') return outcome;
      const { amount_centavos, endToEndId, occurredAt } = outcome.charge;
      const paid = notification(shop.account, inquiry.reference, 'pix.paid', {
        ...{ amount_centavos, end_to_end_id: endToEndId },
        occurred_at: occurredAt.toISOString(),
      });
      assert.equal(await deliver(service, paid), 204);
      return outcome;
    },
  }));
  await advance(shop, { to: expiryOf(payment) }).finally(spy.undo);
  assert.deepEqual(statusesOf(await shop.payment(payment.id)).slice(-1), ['paid']);
  assert.deepEqual(await discrepanciesOf(service, shop.account), []);
});

describe('a mandate whose authorization is not notified', () => {
  const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

  for (const [journey, trial_days, status] of [
    ['with a first charge (journey 3)', 0, 'payment_approved'],
    ['without a charge (journey 2)', 7, 'trial_started'],
  ] as const) {
    test(`${journey} begins the subscription when its QR code would expire`, async () => {
      const { id } = await requested(shop, { trial_days });
      await loseNotifications(shop);
      await authorizeInSilence(id);
      await advanceBy(shop, 31 * MINUTE_MS);
      const after = await read(id);
      assert.equal(after.status, status);
      assert.match(after.payment.pix_recurring.charge_code, /^R[RN]\w{27}$/);
    });

    test(`${journey} waits while the acquirer does not answer`, async () => {
      const { id } = await requested(shop, { trial_days });
      await loseNotifications(shop);
      await authorizeInSilence(id);
      await answering(
        () => UNKNOWN,
        () => advanceBy(shop, 90 * MINUTE_MS),
      );
      assert.equal((await read(id)).status, 'payment_pending');
      await advanceBy(shop, DAY_MS);
      assert.equal((await read(id)).status, status);
    });

    test(`${journey} ends the subscription if the payer did not use the QR code`, async () => {
      const { id } = await requested(shop, { trial_days });
      await loseNotifications(shop);
      await advanceBy(shop, 31 * MINUTE_MS);
      const { status: ended, payment } = await read(id);
      assert.deepEqual([ended, payment.status], ['ended', 'expired']);
    });

    test(`${journey} is refused if the payer rejected it`, async () => {
      const customerId = await shop.customer();
      const outcomes = [{ operation: 'mandate', outcome: 'AP14' }];
      await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes }));
      const { id, payment } = await requested(shop, { trial_days }, { customerId });
      await loseNotifications(shop);
      await advanceBy(shop, 31 * MINUTE_MS);
      const refused = await shop.payment(payment.id);
      assert.deepEqual([refused.status, refused.refusal.code], ['refused', 'AP14']);
      assert.equal((await read(id)).status, 'ended');
    });
  }

  test("ends the subscription if the payer's bank has canceled the request, also if the answer says why", async () => {
    const { id, payment } = await requested(shop, { trial_days: 7 });
    await loseNotifications(shop);
    await leaveOpen(shop, payment.id);
    const reference = await shop.reference(payment.id);
    await service.rows(
      `update simulator.payments set state = 'voided', ended_at = now() where account = :account and reference = :reference`,
      { account: shop.account, reference },
    );
    const mandate = { chargeCode: null, cancellationCode: 'ACCL' };
    await answering(
      (real) =>
        real.kind === 'approved' && real.charge?.state === 'canceled'
          ? { ...real, charge: { ...real.charge, mandate } }
          : real,
      () => advanceBy(shop, 31 * MINUTE_MS),
    );
    const { status, payment: request } = await read(id);
    assert.deepEqual([status, request.status, request.refusal.code], ['ended', 'canceled', 'ACCL']);
  });

  test('keeps the id of the mandate that a late notification brings', async () => {
    const { id, payment } = await requested(shop, { trial_days: 7 });
    const reference = await shop.reference(payment.id);
    await loseNotifications(shop);
    await authorizeInSilence(id);
    await answering(
      (real) => {
        if (real.kind !== 'approved' || real.charge?.state !== 'authorized') return real;
        const { mandate: _, ...charge } = real.charge;
        return { ...real, charge };
      },
      () => advanceBy(shop, 31 * MINUTE_MS),
    );
    assert.deepEqual(
      [(await read(id)).status, (await shop.payment(payment.id)).status],
      ['trial_started', 'AUTHORIZED'],
    );
    const charge_code = `RR${'1'.repeat(27)}`;
    const late = notification(shop.account, reference, 'mandate.authorized', {
      ...{ amount_centavos: 0, method: 'pix_recurring', mandate: { charge_code } },
    });
    assert.equal(await deliver(service, late), 204);
    assert.equal((await shop.payment(payment.id)).pix_recurring.charge_code, charge_code);
    assert.deepEqual(await discrepanciesOf(service, shop.account), []);
  });

  async function authorizeInSilence(id: string): Promise<void> {
    await authorize(shop, id).catch(() => {});
    assert.equal((await read(id)).status, 'payment_pending');
  }

  test('replaces the card of a subscription all the same', async () => {
    const customerId = await shop.customer();
    const { id } = await cardSubscription(customerId);
    await changedToPix(shop, id);
    await loseNotifications(shop);
    await authorize(shop, id).catch(() => {});
    await advanceBy(shop, 31 * MINUTE_MS);
    assert.equal((await read(id)).payment_method, 'pix_recurring');
  });

  async function cardSubscription(customerId: string): Promise<Json> {
    const body = {
      ...{ mcc: '5734', interval: 'monthly', customer: { id: customerId } },
      payment: {
        ...{ amount: 4_990, payment_method: 'credit_card' },
        credit_card: { id: await shop.card(customerId) },
      },
    };
    return (await shop.post('/charges/subscriptions', body)).body;
  }
});
