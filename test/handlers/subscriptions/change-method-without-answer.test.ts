/** The payment method changes while the charge of a cycle has no known outcome. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { BILLING_METHODS, type BillingMethod } from '../../../domain/subscriptions/methods/names.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { loseAnswers, reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { runBillingSteps, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { PAYER } from '../../support/subscriptions/issued-charges.ts';
import { authorize, changedToPix } from '../../support/subscriptions/pix-recurring-calls.ts';
import { meansBy, paidUpBy, SENT_DAYS_BEFORE } from '../../support/subscriptions/renewals-by-method.ts';
import { invoices } from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

interface Outcome {
  /** What the acquirer did with the charge before its answer was lost. */
  readonly done: 'approved' | 'registered' | 'paid' | 'not received' | 'stolen_card' | 'insufficient_funds';
  /** The status of the charge when its outcome is known. */
  readonly status: 'paid' | 'refused' | 'canceled';
}
const NOT_RECEIVED: Outcome = { done: 'not received', status: 'refused' };
const REGISTERED: Outcome = { done: 'registered', status: 'canceled' };
const PAID: Outcome = { done: 'paid', status: 'paid' };
const OUTCOMES: Readonly<Record<BillingMethod, readonly Outcome[]>> = {
  credit_card: [
    { done: 'approved', status: 'paid' },
    { done: 'stolen_card', status: 'refused' },
    NOT_RECEIVED,
  ],
  browser_wallet: [{ done: 'insufficient_funds', status: 'refused' }],
  bank_slip: [REGISTERED, PAID],
  pix: [REGISTERED],
  pix_recurring: [REGISTERED, NOT_RECEIVED],
};

const service = await sharedService({ jobs: false });
let shop: Shop;
let customerId: string;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  await verifiedDomain(shop, domainOf(shop));
  customerId = (await created(shop.post('/customers', PAYER))).id;
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

async function changeTo(id: string, method: BillingMethod): Promise<void> {
  if (method === 'pix_recurring') {
    await changedToPix(shop, id);
    await authorize(shop, id);
    return;
  }
  const body = await meansBy(shop, customerId, method, '5555555555554444');
  const { status, text } = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
  assert.equal(status, 200, text);
}

/** Charges the second cycle. The acquirer receives the charge or does not, and its answer is lost. */
async function chargeWithoutAnswer(
  id: string,
  method: BillingMethod,
  { done, status }: Outcome,
): Promise<Json> {
  await advanceTo(addDays(month(1), -SENT_DAYS_BEFORE[method]), '05:59');
  if (done !== 'not received' && status === 'refused') {
    const outcomes = [{ operation: 'authorize', outcome: done }];
    await created(shop.post('/sandbox/scripts', { customer_id: customerId, outcomes }));
  }
  const lost = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;
  const notReceived = { authorize: lost, bank_slip_charge: lost, pix_charge: lost, mandate_charge: lost };
  const spy = done === 'not received' ? service.intercept(() => notReceived) : loseAnswers(service);
  service.setAhead(2 * MINUTE_MS);
  await runBillingSteps(service.deps);
  spy.undo();
  const { payment } = await read(id);
  assert.ok(['processing', 'waiting_payment'].includes(payment.status), payment.status);
  if (done === 'paid') await shop.trySimulate(await shop.reference(payment.id), 'paid');
  return payment;
}

/** The charges of the second cycle, oldest first. */
const charges = async (id: string): Promise<Json[]> => (await invoices(shop, id))[1]!.payments;

/** Runs what is due after the outcome is known: the old charge is canceled if it was withdrawn. */
async function settle(): Promise<void> {
  await reconcile(service, 3 * MINUTE_MS);
  await runPaymentSteps(service.deps);
  await reconcile(service, 3 * MINUTE_MS);
}

for (const former of BILLING_METHODS) {
  describe(`a charge by ${former} without an answer`, () => {
    for (const outcome of OUTCOMES[former]) {
      for (const present of BILLING_METHODS) {
        test(`that was ${outcome.done} ${rest(outcome)} ${present}`, async () => {
          const { id } = await paidUpBy(shop, customerId, former);
          const old = await chargeWithoutAnswer(id, former, outcome);
          await changeTo(id, present);
          await runBillingSteps(service.deps);
          await runPaymentSteps(service.deps);
          assert.equal((await read(id)).payment_method, present);
          assert.deepEqual(
            (await charges(id)).length,
            1,
            'the cycle was charged before the outcome is known',
          );
          await settle();
          assert.equal((await shop.payment(old.id)).status, outcome.status);
          await payBy(id, present);
          const { status, successful_charges } = await read(id);
          const paidStatus = present === 'pix_recurring' ? 'payment_approved' : 'active';
          assert.deepEqual([status, successful_charges], [paidStatus, 2]);
          const paid = (await charges(id)).filter((charge) => charge.status === 'paid');
          const payer = outcome.status === 'paid' ? former : present;
          assert.deepEqual(
            paid.map(({ payment_method }) => payment_method),
            [payer],
          );
          await assertRecordsAgree(present);
        });
      }
    }
  });
}

function rest({ status }: Outcome): string {
  return status === 'paid' ? 'counts after a change to' : 'is followed by one by';
}

/** The customer pays what the new method charges, and time goes on. */
async function payBy(id: string, method: BillingMethod): Promise<void> {
  await advanceTo(month(1), '06:30');
  const { payment } = await read(id);
  const isIssued = method === 'bank_slip' || method === 'pix';
  if (isIssued && payment.status === 'waiting_payment') await shop.simulate(payment.id, 'paid');
  await advanceTo(addDays(month(1), 4));
}

async function assertRecordsAgree(present: BillingMethod): Promise<void> {
  assert.deepEqual(await discrepanciesOf(service, shop.account), []);
  const errors = service.log.filter(({ level }) => level === 'error');
  assert.deepEqual(errors, []);
  // The verification of a wallet's card is no payment of the service.
  if (present !== 'browser_wallet') await assertAcquirerAgrees(service, shop.account);
}
