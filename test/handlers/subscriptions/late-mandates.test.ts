/** A mandate that replaces another means of payment, and whose authorization the service finds out long after it. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { loseNotifications, stopLosing } from '../../support/payments/lost-notifications.ts';
import { authorizeMandate } from '../../support/payments/mandates.ts';
import { cancelMandates, runBillingSteps, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { changedToPix, mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';
import { changeNow, offerOf, paymentsOf, script } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, story, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const PRICE = 4_990;
const OTHER_PRICE = 9_990;

let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** Nothing but the billing steps runs until 07:00 of a day, as while inquiries have no answer. */
async function billUntil(day: string): Promise<void> {
  const ahead_ms = Date.parse(`${day}T07:00:00-03:00`) - Date.now();
  service.setAhead(ahead_ms);
  await runBillingSteps(service.deps);
}

/** The payer authorizes the mandate in time, and the acquirer cannot notify it. */
async function authorizedInSilence(id: string, terms: object, fields: object = {}): Promise<void> {
  const { payment } = await changedToPix(shop, id, terms, fields);
  await loseNotifications(shop);
  await authorizeMandate(shop, payment.id);
}

async function findOut(): Promise<void> {
  await stopLosing(shop);
  await runPaymentSteps(service.deps);
}

/** The subscription does not change, and the payment with the QR code stays authorized. */
async function assertNotUsed(id: string): Promise<void> {
  const { payment_method, requested_plan, pending_plan } = await read(id);
  assert.deepEqual([payment_method, requested_plan, pending_plan], ['credit_card', null, null]);
  await cancelMandates(service.deps);
  assert.deepEqual(await mandateStates(shop), ['canceled']);
  const asking = (await paymentsOf(shop, id)).find(
    ({ payment_method }) => payment_method === 'pix_recurring',
  );
  assert.deepEqual([asking!.amount, asking!.status], [0, 'AUTHORIZED']);
  assert.equal((await story(shop)).at(-1), 'payment.authorized AUTHORIZED');
  await assertAcquirerAgrees(service, shop.account);
}

test('is not used if it does not allow the price of a cycle that was opened meanwhile', async () => {
  const { id, card_id } = await subscribed(shop);
  const offer_id = await offerOf(shop, OTHER_PRICE);
  await authorizedInSilence(id, { recurring_amount: OTHER_PRICE }, { offer_id });
  await script(shop, card_id, 'do_not_honor');
  await billUntil(month(1));
  assert.equal((await read(id)).status, 'past_due');
  await findOut();
  await assertNotUsed(id);
  await billUntil(addDays(month(1), 1));
  const [, cycle] = await invoices(shop, id);
  assert.deepEqual([cycle!.status, cycle!.amount], ['paid', PRICE]);
});

test('is not used if its plan has ended meanwhile', async () => {
  const { id } = await subscribed(shop);
  const cycles = [{ start: 1, end: 2, amount: OTHER_PRICE }];
  const offer_id = await offerOf(shop, OTHER_PRICE, { cycles });
  await authorizedInSilence(id, {}, { offer_id });
  await billUntil(month(1));
  await findOut();
  await assertNotUsed(id);
  await billUntil(month(2));
  const { status, successful_charges } = await read(id);
  assert.deepEqual([status, successful_charges], ['active', 3]);
});

test('is not used if the credit leaves a charge that is lower than its minimum', async () => {
  const { id, card_id } = await subscribed(shop);
  await authorizedInSilence(id, { min_amount: 3_500 });
  await changeNow(shop, id, await offerOf(shop, 4_000));
  await script(shop, card_id, 'do_not_honor');
  await billUntil(month(1));
  const [, cycle] = await invoices(shop, id);
  assert.equal(cycle!.amount - cycle!.credit_applied, 4_000 - (PRICE - 4_000));
  await findOut();
  await assertNotUsed(id);
});

test('is used if it allows the open cycle and its plan', async () => {
  const { id, card_id } = await subscribed(shop);
  const offer_id = await offerOf(shop, OTHER_PRICE);
  await authorizedInSilence(id, { min_amount: PRICE }, { offer_id });
  await script(shop, card_id, 'do_not_honor');
  await billUntil(month(1));
  await findOut();
  const { payment_method, pending_plan } = await read(id);
  assert.deepEqual([payment_method, pending_plan.offer_id], ['pix_recurring', offer_id]);
  assert.equal((await story(shop)).filter((line) => line.startsWith('payment.authorized')).length, 2);
});
