/**
 * A subscription is ended, or its latest paid cycle is given back, while the charge of the next one has no known
 * outcome.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { BILLING_METHODS, type BillingMethod } from '../../../domain/subscriptions/methods/names.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { loseAnswers, reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { cancelMandates, runBillingSteps, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { PAYER } from '../../support/subscriptions/issued-charges.ts';
import { mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';
import { paidUpBy, SENT_DAYS_BEFORE } from '../../support/subscriptions/renewals-by-method.ts';
import { invoices } from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

/** The last status of the charge, and of its invoice. */
const ENDS: Readonly<Record<BillingMethod, readonly [string, string]>> = {
  credit_card: ['paid', 'paid'],
  browser_wallet: ['paid', 'paid'],
  bank_slip: ['canceled', 'void'],
  pix: ['canceled', 'void'],
  pix_recurring: ['canceled', 'void'],
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

/** Charges the second cycle. The acquirer's answer is lost. */
async function chargeWithoutAnswer(id: string, method: BillingMethod): Promise<Json> {
  await advanceTo(addDays(month(1), -SENT_DAYS_BEFORE[method]), '05:59');
  const lost = loseAnswers(service);
  service.setAhead(2 * MINUTE_MS);
  await runBillingSteps(service.deps);
  lost.undo();
  return (await read(id)).payment;
}

interface Way {
  /** What happens to the subscription, whose first payment is given. */
  run(id: string, firstId: string): Promise<void>;
  readonly status: 'ended' | 'canceled';
  readonly methods: readonly BillingMethod[];
}

const WAYS: Readonly<Record<string, Way>> = {
  'the latest cycle is refunded in full': {
    run: async (_id, firstId) => {
      await created(shop.refund(firstId));
    },
    status: 'ended',
    methods: BILLING_METHODS,
  },
  'the latest cycle is charged back': {
    run: async (_id, firstId) => {
      for (const outcome of ['chargeback_requested', 'chargeback_lost'] as const)
        await shop.simulate(firstId, outcome);
    },
    status: 'ended',
    methods: BILLING_METHODS.filter((method) => method !== 'bank_slip'),
  },
  'the subscription is canceled': {
    run: async (id) => {
      const { status, text } = await shop.post('/subscriptions/cancel', { id });
      assert.equal(status, 200, text);
    },
    status: 'canceled',
    methods: BILLING_METHODS,
  },
};

for (const [what, way] of Object.entries(WAYS)) {
  describe(`${what} while the next charge has no answer`, () => {
    for (const method of way.methods) {
      const [status, invoice] = ENDS[method];
      test(`by ${method}, which is then ${status}`, async () => {
        const { id, payment: first } = await paidUpBy(shop, customerId, method);
        const charge = await chargeWithoutAnswer(id, method);
        await way.run(id, first.id);
        assert.equal((await read(id)).status, way.status);
        await runBillingSteps(service.deps);
        await runPaymentSteps(service.deps);
        await cancelMandates(service.deps);
        await reconcile(service, 3 * MINUTE_MS);
        service.setAhead(5 * MINUTE_MS);
        await runPaymentSteps(service.deps);
        await cancelMandates(service.deps);
        assert.equal((await shop.payment(charge.id)).status, status);
        await advanceTo(month(3));
        const [, second] = await invoices(shop, id);
        assert.deepEqual([second!.status, second!.payments.length], [invoice, 1]);
        assert.equal((await read(id)).status, 'ended');
        if (method === 'pix_recurring') assert.deepEqual(await mandateStates(shop), ['canceled']);
        assert.deepEqual(await discrepanciesOf(service, shop.account), []);
        assert.deepEqual(
          service.log.filter(({ level }) => level === 'error'),
          [],
        );
        await assertAcquirerAgrees(service, shop.account);
      });
    }
  });
}
