/** Subscriptions by Pix recurring: the mandate, its charges and their ends. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, statusesOf } from '../../support/shop.ts';
import {
  authorize,
  authorized,
  requested,
  scriptCharges,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, story } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const month = (start: string, count: number) => billingDate({ start, interval: 'monthly' }, count);
const storySince = async (after: number) => (await story(shop)).slice(after);
/** The events of the creation and the first payment. */
const FIRST_PAID = 9;

describe('a subscription that the payer authorizes by paying its first charge', () => {
  test('waits with a QR code of 30 minutes, and is payment_approved when it is paid', async () => {
    const asked = await requested(shop, {}, { terms: { recurring_amount: 4_990, retry_policy: true } });
    assert.equal(asked.status, 'payment_pending');
    assert.deepEqual([asked.payment_method, asked.card_id], ['pix_recurring', null]);
    const { payment } = asked;
    assert.deepEqual([payment.status, payment.amount], ['waiting_payment', 4_990]);
    assert.match(payment.pix_recurring.qr_code, /^000201/);
    assert.equal(payment.pix_recurring.charge_code, null);
    const validity_ms = Date.parse(payment.pix_recurring.expires_at) - Date.parse(asked.created_at);
    assert.equal(validity_ms, 30 * MINUTE_MS);

    const paid = await authorize(shop, asked.id);
    assert.deepEqual(
      [paid.status, paid.current_cycle, paid.next_charge_at],
      ['payment_approved', 1, month(today(), 1)],
    );
    assert.deepEqual(statusesOf(paid.payment), ['processing', 'waiting_payment', 'paid']);
    assert.match(paid.payment.pix_recurring.charge_code, /^RR\w{27}$/);
    assert.deepEqual(await story(shop), [
      'subscription.created payment_pending',
      'payment.created processing',
      'payment.updated waiting_payment',
      'payment.authorized paid',
      'payment.updated paid',
      'subscription.charge_succeeded payment_approved',
      'subscription.activated payment_approved',
      'subscription.updated payment_approved',
    ]);
    const [invoice] = await invoices(shop, asked.id);
    assert.deepEqual([invoice!.status, invoice!.payments.length], ['paid', 1]);
  });

  test('ends if the QR code is not used in 30 minutes', async () => {
    const { id } = await requested(shop);
    await advanceBy(shop, 30 * MINUTE_MS);
    const ended = await read(id);
    assert.deepEqual([ended.status, ended.payment.status, ended.next_charge_at], ['ended', 'expired', null]);
    assert.deepEqual(await storySince(3), ['payment.expired expired', 'subscription.ended ended']);
    assert.deepEqual(
      (await invoices(shop, id)).map(({ status }) => status),
      ['void'],
    );
    assert.deepEqual(await storyAfterAYear(5), []);
  });

  test('that the payer refuses is not retried, and ends when the QR code expires', async () => {
    const customerId = await shop.customer();
    await created(
      shop.post('/sandbox/scripts', {
        customer_id: customerId,
        outcomes: [{ operation: 'mandate', outcome: 'AP13' }],
      }),
    );
    const { id } = await requested(shop, {}, { customerId });
    await advanceBy(shop, 5 * MINUTE_MS);
    const refused = await read(id);
    assert.deepEqual([refused.status, refused.payment.status], ['payment_pending', 'refused']);
    assert.equal(refused.payment.refusal.code, 'AP13');
    await advanceBy(shop, 25 * MINUTE_MS);
    assert.equal((await read(id)).status, 'ended');
    assert.deepEqual(await storySince(3), [
      'payment.refused refused',
      'subscription.charge_failed payment_pending',
      'subscription.ended ended',
    ]);
  });
});

/** The events of a year after the first `after`. */
async function storyAfterAYear(after: number): Promise<string[]> {
  await advance(shop, { days: 365 });
  return storySince(after);
}

describe('a subscription with a trial, which the payer authorizes without paying', () => {
  test('has a scheduled payment of 0, and trial_started when it is authorized', async () => {
    const asked = await requested(shop, { trial_days: 7 });
    assert.deepEqual([asked.status, asked.next_charge_at], ['payment_pending', addDays(today(), 7)]);
    assert.deepEqual([asked.payment.status, asked.payment.amount], ['scheduled', 0]);
    const started = await authorize(shop, asked.id);
    assert.deepEqual([started.status, started.payment.status], ['trial_started', 'AUTHORIZED']);
    assert.match(started.payment.pix_recurring.charge_code, /^RN\w{27}$/);
    assert.deepEqual(await story(shop), [
      'subscription.created payment_pending',
      'payment.created scheduled',
      'payment.updated scheduled',
      'payment.authorized AUTHORIZED',
      'subscription.updated trial_started',
    ]);
  });

  test('schedules the first charge 3 days before its day, sends it 2 days before, and is paid on its day', async () => {
    const { id } = await authorized(shop, { trial_days: 7 });
    const due = addDays(today(), 7);
    await advanceTo(addDays(due, -3), '05:59');
    assert.equal((await read(id)).payment.amount, 0);
    await advanceTo(addDays(due, -3));
    const scheduled = (await read(id)).payment;
    assert.deepEqual([scheduled.status, scheduled.amount, scheduled.billing_date], ['scheduled', 4_990, due]);
    await advanceTo(addDays(due, -2));
    assert.equal((await read(id)).payment.status, 'waiting_payment');
    assert.deepEqual(await storySince(5), [], 'these steps make no event');
    await advanceTo(due);
    const paid = await read(id);
    assert.deepEqual([paid.status, paid.payment.status, paid.current_cycle], ['payment_approved', 'paid', 1]);
    assert.deepEqual(await storySince(5), [
      'payment.capture_confirmed paid',
      'subscription.charge_succeeded payment_approved',
      'subscription.activated payment_approved',
      'subscription.updated payment_approved',
    ]);
  });

  test('of one day sends the first charge as soon as it can', async () => {
    const { id } = await authorized(shop, { trial_days: 1 });
    await advanceBy(shop, MINUTE_MS);
    const { payment } = await read(id);
    assert.deepEqual([payment.status, payment.billing_date], ['waiting_payment', addDays(today(), 1)]);
    await advanceTo(addDays(today(), 1));
    assert.equal((await read(id)).status, 'payment_approved');
  });

  test('ends if the QR code is not used in 30 minutes', async () => {
    const { id } = await requested(shop, { trial_days: 7 });
    await advanceBy(shop, 30 * MINUTE_MS);
    assert.equal((await read(id)).status, 'ended');
    assert.deepEqual(await storyAfterAYear(3), ['payment.expired expired', 'subscription.ended ended']);
  });
});

describe('a year of the moved clock', () => {
  test('charges a monthly subscription 12 times more, each on its day', async () => {
    const { id } = await authorized(shop);
    await advance(shop, { days: 366 });
    const all = await invoices(shop, id);
    const expected = Array.from({ length: 13 }, (_, index) => month(today(), index));
    assert.deepEqual(
      all.filter(({ status }) => status === 'paid').map(({ billing_date }) => billing_date),
      expected,
    );
    for (const { payments } of all.slice(1, 13)) {
      assert.deepEqual(payments.map(statusesOf), [['scheduled', 'waiting_payment', 'paid']]);
    }
    assert.deepEqual(
      (await storySince(FIRST_PAID - 1)).filter((event) => event !== 'subscription.updated payment_approved'),
      expected
        .slice(1)
        .flatMap(() => ['payment.capture_confirmed paid', 'subscription.charge_succeeded payment_approved']),
    );
  });

  test('charges a weekly subscription every 7 days', async () => {
    const { id } = await authorized(shop, { interval: 'weekly' });
    await advanceTo(addDays(today(), 364));
    const paid = (await invoices(shop, id)).filter(({ status }) => status === 'paid');
    assert.deepEqual(
      paid.map(({ billing_date }) => billing_date),
      Array.from({ length: 53 }, (_, index) => addDays(today(), 7 * index)),
    );
  });
});

describe('a charge that the payer refuses', () => {
  test('is retried after 1, 3 and 7 days with retry_policy, and then given up', async () => {
    const customerId = await shop.customer();
    const { id } = await authorized(shop, {}, { customerId, terms: { retry_policy: true } });
    await scriptCharges(shop, customerId, 'AM02', 'AC06', 'AB10', 'AM02');
    const due = month(today(), 1);
    await advanceTo(due);
    assert.deepEqual((await read(id)).status, 'payment_refused');
    assert.equal((await read(id)).next_charge_at, addDays(due, 1));
    await advanceTo(addDays(due, 20));
    const [, invoice] = await invoices(shop, id);
    assert.deepEqual(
      invoice!.payments.map(({ billing_date, refusal, retry_attempts }: Json) => [
        billing_date,
        refusal.code,
        retry_attempts,
      ]),
      [
        [due, 'AM02', 0],
        [addDays(due, 1), 'AC06', 1],
        [addDays(due, 3), 'AB10', 2],
        [addDays(due, 7), 'AM02', 3],
      ],
    );
    assert.equal(invoice!.status, 'uncollectible');
    assert.equal((await read(id)).status, 'payment_refused');
    const failed = ['payment.refused refused', 'subscription.charge_failed payment_refused'];
    assert.deepEqual(await storySince(FIRST_PAID - 1), [
      ...['payment.refused refused', 'subscription.charge_failed payment_refused'],
      'subscription.past_due payment_refused',
      ...failed,
      ...failed,
      ...failed,
      'subscription.unpaid payment_refused',
    ]);
  });

  test('is paid by a retry, and the next cycle keeps its day', async () => {
    const customerId = await shop.customer();
    const { id } = await authorized(shop, {}, { customerId, terms: { retry_policy: true } });
    await scriptCharges(shop, customerId, 'AM02', 'approve');
    const due = month(today(), 1);
    await advanceTo(addDays(due, 1));
    const recovered = await read(id);
    assert.deepEqual(
      [recovered.status, recovered.current_cycle, recovered.next_charge_at],
      ['payment_approved', 2, month(today(), 2)],
    );
  });

  test('is not retried without retry_policy, or if the reason is final', async () => {
    const terms = [{}, { retry_policy: true }];
    for (const [index, reason] of ['AM02', 'AC05'].entries()) {
      const customerId = await shop.customer();
      const { id } = await authorized(shop, {}, { customerId, terms: terms[index]! });
      await scriptCharges(shop, customerId, reason);
      await advance(shop, { days: 45 });
      const [, invoice] = await invoices(shop, id);
      assert.deepEqual([invoice!.status, invoice!.payments.length], ['uncollectible', 1]);
      assert.equal((await read(id)).status, 'payment_refused');
    }
  });

  test('can be simulated from when it is sent', async () => {
    const { id } = await authorized(shop);
    const due = month(today(), 1);
    await advanceTo(addDays(due, -3));
    const { payment } = await read(id);
    const simulate = (outcome: string, reason?: string) =>
      shop.post(`/sandbox/payments/${payment.id}/simulate`, { outcome, reason });
    assertRefused(await simulate('paid'), 'status');
    await advanceTo(addDays(due, -2));
    assert.equal((await simulate('refused', 'DENC')).status, 200);
    assert.deepEqual((await read(id)).payment.refusal.code, 'DENC');
  });
});
