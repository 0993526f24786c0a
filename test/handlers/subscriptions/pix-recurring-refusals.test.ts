/** Charges of Pix recurring subscriptions that a script refuses, with each reason and in sequences. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { PIX_AUTOMATICO_REFUSALS } from '../../../domain/payments/pix-automatico-reasons.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, DAY_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { runBillingSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import {
  authorize,
  authorized,
  changedToPix,
  requested,
  scriptCharges,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const RETRIES = { retry_policy: true };
const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

/** A paid subscription whose next charges have these outcomes. */
async function withOutcomes(...outcomes: string[]): Promise<Json> {
  const customerId = await shop.customer();
  const subscription = await authorized(shop, {}, { customerId, terms: RETRIES });
  await scriptCharges(shop, customerId, ...outcomes);
  return subscription;
}

test('each reason is kept, and only one that may pass is retried', async () => {
  const reasons = Object.entries(PIX_AUTOMATICO_REFUSALS);
  const ids: string[] = [];
  for (const [code] of reasons) ids.push((await withOutcomes(code, 'approve')).id);
  const due = inMonths(1);
  await advanceTo(addDays(due, 1));
  for (const [index, [code, { retryable, message }]] of reasons.entries()) {
    const id = ids[index]!;
    const [, { status, payments }] = (await invoices(shop, id)) as [Json, Json];
    assert.deepEqual(payments[0].refusal, { code, message, retryable }, code);
    const statuses = payments.map((payment: Json) => [payment.status, payment.billing_date]);
    const first = ['refused', due];
    const expected = retryable ? [first, ['paid', addDays(due, 1)]] : [first];
    assert.deepEqual([status, statuses], [retryable ? 'paid' : 'uncollectible', expected], code);
    assert.equal((await read(id)).status, retryable ? 'payment_approved' : 'payment_refused', code);
  }
  await assertAcquirerAgrees(service, shop.account);
});

test('a sequence of refusals over several cycles is followed charge by charge', async () => {
  const outcomes = ['AM02', 'AC06', 'approve', 'approve', 'AB10', 'DENC'];
  const { id } = await withOutcomes(...outcomes);
  await advanceTo(addDays(inMonths(3), 20));
  const attempts = (await invoices(shop, id)).slice(1).map(({ status, payments }) => ({
    status,
    attempts: payments.map(({ refusal, billing_date }: Json) => [refusal?.code ?? 'paid', billing_date]),
  }));
  assert.deepEqual(attempts, [
    {
      status: 'paid',
      attempts: [
        ['AM02', inMonths(1)],
        ['AC06', addDays(inMonths(1), 1)],
        ['paid', addDays(inMonths(1), 3)],
      ],
    },
    { status: 'paid', attempts: [['paid', inMonths(2)]] },
    {
      status: 'uncollectible',
      attempts: [
        ['AB10', inMonths(3)],
        ['DENC', addDays(inMonths(3), 1)],
      ],
    },
  ]);
  assert.equal((await read(id)).status, 'payment_refused');
});

test('a script of the mandate decides what the payer does, with and without a first charge', async () => {
  const expected: [string, number, string, string][] = [
    ['approve', 0, 'payment_approved', 'paid'],
    ['approve', 7, 'trial_started', 'AUTHORIZED'],
    ['AP13', 0, 'payment_pending', 'refused'],
    ['AP14', 7, 'payment_pending', 'refused'],
  ];
  const ids: string[] = [];
  for (const [outcome, trial_days] of expected) {
    const customerId = await shop.customer();
    const outcomes = [{ operation: 'mandate', outcome }];
    await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes }));
    ids.push((await requested(shop, { trial_days }, { customerId })).id);
  }
  await advanceBy(shop, MINUTE_MS);
  for (const [index, [outcome, , status, paymentStatus]] of expected.entries()) {
    const subscription = await read(ids[index]!);
    assert.deepEqual([subscription.status, subscription.payment.status], [status, paymentStatus]);
    if (outcome !== 'approve') assert.equal(subscription.payment.refusal.code, outcome);
  }
});

test('a scripted charge of a weekly subscription is retried only before the next cycle', async () => {
  const customerId = await shop.customer();
  const { id } = await authorized(shop, { interval: 'weekly' }, { customerId, terms: RETRIES });
  await scriptCharges(shop, customerId, 'AM02', 'AM02', 'AM02', 'AM02');
  const due = addDays(merchantDay(new Date()), 7);
  await advanceTo(addDays(due, 14));
  const [, overdue, ...later] = await invoices(shop, id);
  assert.deepEqual(
    overdue!.payments.map(({ billing_date }: Json) => billing_date),
    [due, addDays(due, 1), addDays(due, 3)],
  );
  assert.deepEqual([overdue!.status, later], ['uncollectible', []]);
});

/** Changes a subscription to a card, or to a new mandate if no card is named. */
async function changeTo(id: string, card?: string): Promise<void> {
  if (card === undefined) {
    await changedToPix(shop, id);
    await authorize(shop, id);
    return;
  }
  const body = { payment_method: 'credit_card', credit_card: { id: card } };
  assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
}

for (const replacedBy of ['credit_card', 'pix_recurring']) {
  test(`a new mandate does not repeat the day of a charge that was refused after a change to ${replacedBy}`, async () => {
    const { id, customer_id } = await authorized(shop);
    const due = inMonths(1);
    await advanceTo(addDays(due, -1), '22:00');
    const { payment: sent } = await read(id);
    await changeTo(id, replacedBy === 'credit_card' ? await shop.card(customer_id) : undefined);
    // It can no longer be withdrawn.
    assert.equal((await shop.payment(sent.id)).status, 'waiting_payment');
    await shop.simulate(sent.id, 'refused', 'AC05');
    await changedToPix(shop, id);
    await authorize(shop, id);
    await advanceTo(addDays(due, 2));
    const [, { payments }] = (await invoices(shop, id)) as [Json, Json];
    assert.deepEqual(
      payments.map(({ status, billing_date }: Json) => [status, billing_date]),
      [
        ['refused', due],
        ['paid', addDays(due, 2)],
      ],
    );
  });
}

/** The state and the due date of each charge, oldest first. */
const chargesOf = async (id: string) =>
  (await invoices(shop, id))
    .flatMap((invoice) => invoice.payments)
    .map(({ status, billing_date }: Json) => [status, billing_date]);

/** Runs `work` while the acquirer receives no cancellation of a charge and answers no inquiry. */
async function inOutage<Result>(work: () => Promise<Result>): Promise<Result> {
  const unknown = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;
  return work().finally(service.intercept(() => ({ cancel: unknown, inquire: unknown })).undo);
}

for (const isByCard of [false, true]) {
  const between = isByCard ? ' after a card' : '';

  /** A subscription with a new mandate, for which a charge was withdrawn on the day before it is due. */
  const replaced = async (): Promise<Json> => {
    const { id, customer_id } = await authorized(shop);
    await advanceTo(addDays(inMonths(1), -1), '12:00');
    const { payment } = await read(id);
    if (isByCard) await changeTo(id, await shop.card(customer_id));
    await changeTo(id);
    return { id, sent: payment.id };
  };

  test(`a new mandate${between} charges on the day of a charge that was withdrawn`, async () => {
    const { id } = await replaced();
    const due = inMonths(1);
    await advanceTo(addDays(due, 3));
    assert.deepEqual((await chargesOf(id)).slice(1), [
      ['canceled', due],
      ['paid', due],
    ]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test(`a new mandate${between} does not repeat the day of a charge that was refused before it was canceled`, async () => {
    const { id, sent } = await inOutage(replaced);
    await shop.simulate(sent, 'refused', 'AC05');
    const due = inMonths(1);
    assert.equal((await read(id)).next_charge_at, addDays(due, 2));
    await advanceTo(addDays(due, 2));
    assert.deepEqual((await chargesOf(id)).slice(1), [
      ['refused', due],
      ['paid', addDays(due, 2)],
    ]);
  });
}

test('the next cycle does not repeat the day of a charge that was paid before it was canceled', async () => {
  const { id } = await authorized(shop, { interval: 'weekly', trial_days: 10 });
  const due = addDays(merchantDay(new Date()), 17);
  // No worker runs until the first cycle is so late that it is due on the day of the second one.
  service.setAhead(14 * DAY_MS);
  await runBillingSteps(service.deps);
  service.setAhead(0);
  await advanceTo(addDays(due, -1), '12:00');
  const { payment } = await read(id);
  await inOutage(() => changeTo(id));
  await shop.simulate(payment.id, 'paid');
  await advanceTo(addDays(due, 2));
  assert.deepEqual(await chargesOf(id), [
    ['paid', due],
    ['paid', addDays(due, 2)],
  ]);
});
