import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays, nextBusinessDay } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { bankSlipExpiry } from '../../../domain/payments/bank-slip.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, stepNames } from '../../support/clock-calls.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { simulated } from '../../support/payments/simulate-calls.ts';
import { runBillingSteps, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { issuedBody, PAYER, PAYS_ITSELF } from '../../support/subscriptions/issued-charges.ts';
import { invoices, story, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** The amount of a Pix that the sandbox does not cancel. */
const CANCEL_FAILS = 99_990_015;

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const inMonths = (count: number) => billingDate({ start: today(), interval: 'monthly' }, count);
/** The day after the last one on which a charge with this due date can be paid. */
const expiryOf = (dueOn: string) => merchantDay(bankSlipExpiry(dueOn));

async function cancel(id: string): Promise<Json> {
  const { status, body: canceled, text } = await shop.post('/subscriptions/cancel', { id });
  assert.equal(status, 200, text);
  return canceled;
}

async function changeMethod(id: string, body: object): Promise<Json> {
  const answer = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const card = async (customerId: string) => ({
  payment_method: 'credit_card',
  credit_card: { id: await shop.card(customerId) },
});

for (const payment_method of ['bank_slip', 'pix'] as const) {
  const subscribed = (fields: object = {}): Promise<Json> =>
    created(subscribe(shop, issuedBody({ payment_method }, fields)));

  describe(`a subscription by ${payment_method}`, () => {
    test('begins with a charge that is due in 3 days, and is active when it is paid', async () => {
      const { id, status, payment, next_charge_at, card_id } = await subscribed();
      const dueOn = addDays(today(), 3);
      assert.deepEqual(
        [status, payment.status, payment.billing_date, next_charge_at, card_id],
        ['payment_pending', 'waiting_payment', dueOn, dueOn, null],
      );
      if (payment_method === 'pix') {
        assert.equal(Date.parse(payment.pix.expires_at), bankSlipExpiry(dueOn).getTime());
      } else {
        assert.equal(payment.bank_slip.due_at, dueOn);
      }
      await simulated(shop, payment.id, 'paid');
      const active = await read(id);
      assert.deepEqual(
        [active.status, active.successful_charges, active.next_charge_at],
        ['active', 1, inMonths(1)],
      );
      assert.deepEqual(await story(shop), [
        'subscription.created payment_pending',
        'payment.created processing',
        'payment.updated waiting_payment',
        'payment.updated paid',
        'subscription.charge_succeeded active',
        'subscription.activated active',
        'subscription.updated active',
      ]);
    });

    test('is paid once in each cycle of a year', async () => {
      const documents = [{ type: 'cpf', value: PAYS_ITSELF }];
      const { id } = await subscribed({ customer: { ...PAYER, documents } });
      await advanceTo(inMonths(12), '05:00');
      const all = await invoices(shop, id);
      assert.deepEqual(
        all.map(({ cycle, status, billing_date, payments }) => [
          cycle,
          status,
          billing_date,
          payments.length,
        ]),
        Array.from({ length: 13 }, (_, i) => [i + 1, 'paid', inMonths(i), 1]),
      );
    });

    test('has the next charge 5 days before its billing date', async () => {
      const { id, payment } = await subscribed();
      await simulated(shop, payment.id, 'paid');
      await advanceTo(addDays(inMonths(1), -5), '05:59');
      assert.equal((await invoices(shop, id)).length, 1);
      assert.deepEqual(stepNames(await advanceTo(addDays(inMonths(1), -5))), ['bill_cycle']);
      const { status, payment: second } = await read(id);
      assert.deepEqual(
        [status, second.status, second.billing_date],
        ['active', 'waiting_payment', inMonths(1)],
      );
      await simulated(shop, second.id, 'paid');
      assert.equal((await read(id)).successful_charges, 2);
    });

    test('is past due when a charge expires, has one more, and is then unpaid', async () => {
      const { id, payment } = await subscribed();
      const expired = expiryOf(addDays(today(), 3));
      await advanceTo(expired, '05:59');
      const late = await read(id);
      assert.deepEqual(
        [late.status, late.payment.id, late.payment.status],
        ['past_due', payment.id, 'expired'],
      );
      await advanceTo(expired);
      const again = await read(id);
      assert.deepEqual(
        [again.status, again.payment.status, again.next_charge_at],
        ['past_due', 'waiting_payment', addDays(expired, 3)],
      );
      await advanceTo(addDays(expired, 7), '05:59');
      assert.equal((await read(id)).status, 'past_due');
      await advanceTo(addDays(expired, 7));
      assert.equal((await read(id)).status, 'unpaid');
      await advanceTo(inMonths(3));
      const [invoice, ...others] = await invoices(shop, id);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [invoice!.status, invoice!.payments.map(({ status }: Json) => status)],
        ['uncollectible', ['expired', 'expired']],
      );
    });

    test('that is canceled has its open charge canceled at the acquirer', async () => {
      const { id, payment } = await subscribed();
      await simulated(shop, payment.id, 'paid');
      await advanceTo(addDays(inMonths(1), -5));
      const { payment: open } = await read(id);
      assert.equal((await cancel(id)).status, 'canceled');
      await runPaymentSteps(service.deps);
      assert.deepEqual((await shop.eventNames(open.id)).slice(-2), [
        'payment.canceled',
        'payment.cancel_confirmed',
      ]);
      assert.equal((await invoices(shop, id)).at(-1)!.status, 'void');
      assert.equal((await shop.post(`/subscriptions/${id}/reactivate`)).status, 200);
      // A cycle is opened on another day than the attempt before it.
      await advanceTo(addDays(inMonths(1), -4));
      const { status, payment: reissued } = await read(id);
      assert.deepEqual(
        [status, reissued.status, reissued.billing_date],
        ['active', 'waiting_payment', inMonths(1)],
      );
      assert.notEqual(reissued.id, open.id);
    });

    test('that is canceled before the first payment ends at once, with its charge', async () => {
      const { id, payment } = await subscribed();
      assert.equal((await cancel(id)).status, 'ended');
      await runPaymentSteps(service.deps);
      assert.equal((await shop.payment(payment.id)).status, 'canceled');
    });

    test('is charged to a card on the billing date after a change, and the open charge is canceled', async () => {
      const { id, customer_id, payment } = await subscribed();
      await simulated(shop, payment.id, 'paid');
      await advanceTo(addDays(inMonths(1), -5));
      const { payment: open } = await read(id);
      const changed = await changeMethod(id, await card(customer_id));
      assert.deepEqual(
        [changed.status, changed.payment_method, changed.next_charge_at],
        ['active', 'credit_card', inMonths(1)],
      );
      await advanceTo(inMonths(1));
      assert.equal((await shop.payment(open.id)).status, 'canceled');
      const renewed = await read(id);
      assert.deepEqual(
        [renewed.status, renewed.successful_charges, renewed.payment.payment_method],
        ['active', 2, 'credit_card'],
      );
    });

    test('that is overdue is charged to a card as soon as its open charge is canceled', async () => {
      const { id, customer_id } = await subscribed();
      await advanceTo(expiryOf(addDays(today(), 3)));
      assert.equal((await changeMethod(id, await card(customer_id))).status, 'past_due');
      await runBillingSteps(service.deps);
      assert.equal((await read(id)).successful_charges, 0, 'charged while the other charge can be paid');
      await runPaymentSteps(service.deps);
      await runBillingSteps(service.deps);
      const recovered = await read(id);
      assert.deepEqual([recovered.status, recovered.successful_charges], ['active', 1]);
    });

    test('can follow a card, also to recover an unpaid subscription', async () => {
      const stored = await shop.customer(PAYER);
      const first = await created(
        subscribe(shop, {
          ...issuedBody({
            payment_method: 'credit_card',
            credit_card: { id: await shop.card(stored, '4000000000009979') },
          }),
          customer: { id: stored },
        }),
      );
      assert.equal(first.status, 'unpaid');
      const changed = await changeMethod(first.id, { payment_method });
      assert.deepEqual(
        [changed.status, changed.card_id, changed.payment.status, changed.payment.billing_date],
        ['unpaid', null, 'waiting_payment', addDays(today(), 3)],
      );
      await simulated(shop, changed.payment.id, 'paid');
      assert.equal((await read(first.id)).status, 'active');
    });

    test('has no installments', async () => {
      assertRefused(
        await subscribe(shop, issuedBody({ payment_method, installments: 2 })),
        'payment.installments',
      );
    });

    test('with a trial has its first charge 5 days before the trial ends', async () => {
      const { id, status, payment } = await subscribed({ trial_days: 14 });
      assert.deepEqual([status, payment], ['trial_started', null]);
      await advanceTo(addDays(today(), 9));
      const charged = await read(id);
      assert.deepEqual(
        [charged.status, charged.payment.status, charged.payment.billing_date],
        ['trial_started', 'waiting_payment', addDays(today(), 14)],
      );
      await simulated(shop, charged.payment.id, 'paid');
      assert.equal((await read(id)).status, 'active');
    });
  });
}

test('a subscription is active again when an expired boleto is paid late, and the other boleto is canceled', async () => {
  const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
  await advanceTo(expiryOf(addDays(today(), 3)));
  const { payment: second } = await read(id);
  await simulated(shop, payment.id, 'paid');
  assert.deepEqual([(await read(id)).status, (await read(id)).successful_charges], ['active', 1]);
  await runPaymentSteps(service.deps);
  assert.equal((await shop.payment(second.id)).status, 'canceled');
  const [invoice] = await invoices(shop, id);
  assert.deepEqual(
    [invoice!.status, invoice!.payments.map(({ status }: Json) => status)],
    ['paid', ['paid', 'canceled']],
  );
});

test('a cycle is paid once if the customer pays two boletos, and the second one is reported', async () => {
  const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
  await advanceTo(expiryOf(addDays(today(), 3)));
  const { payment: second } = await read(id);
  await simulated(shop, payment.id, 'paid');
  await shop.trySimulate(await shop.reference(second.id), 'paid');
  assert.notEqual((await shop.payment(second.id)).status, 'paid');
  assert.deepEqual(
    (await discrepanciesOf(service, shop.account)).map(({ reason }) => reason),
    ['cycle_paid_twice'],
  );
  assert.equal((await read(id)).successful_charges, 1);
});

test('a charge that the acquirer does not cancel keeps its cycle until it expires', async () => {
  const { id, customer_id, payment } = await created(
    subscribe(shop, issuedBody({ amount: CANCEL_FAILS, payment_method: 'pix' })),
  );
  await simulated(shop, payment.id, 'paid');
  await advanceTo(addDays(inMonths(1), -5));
  const { payment: open } = await read(id);
  await changeMethod(id, await card(customer_id));
  await runPaymentSteps(service.deps);
  assert.equal((await shop.eventNames(open.id)).at(-1), 'payment.cancel_failed');
  const expired = addDays(nextBusinessDay(inMonths(1)), 1);
  await advanceTo(expired, '05:00');
  const late = await read(id);
  assert.deepEqual([late.status, late.payment.id, late.payment.status], ['past_due', open.id, 'expired']);
  await advanceTo(addDays(expired, 3));
  assert.deepEqual([(await read(id)).status, (await read(id)).successful_charges], ['active', 2]);
});
