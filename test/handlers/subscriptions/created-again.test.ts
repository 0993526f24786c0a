/** The request for a new subscription is sent again, long after its process died. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { DatabaseUnavailable } from '../../../services/refusal.ts';
import { advance } from '../../support/clock-calls.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { authorize, pixBody } from '../../support/subscriptions/pix-recurring-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** Longer than a killed process holds an Idempotency-Key. */
const LEASE_OVER_MS = 40_000;

test('while the charge of its second cycle is not sent yet: the answer is the subscription', async () => {
  const body = await pixBody(shop);
  const dying = service.intercept((real) => ({
    mandate: async (command) => {
      await real.perform(command);
      throw new DatabaseUnavailable(new Error('the process dies'));
    },
  }));
  assert.equal((await shop.post('/subscriptions', body, 'k')).status, 503);
  dying.undo();
  await reconcile(service, LEASE_OVER_MS);
  const { id } = await shop.get(`/subscriptions/${body.code}`);
  await authorize(shop, id);
  const due = billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);
  await advance(shop, { to: `${addDays(due, -3)}T06:00:00-03:00` });
  const again = await created(shop.post('/subscriptions', body, 'k'));
  assert.deepEqual([again.id, again.status, again.payment.status], [id, 'payment_approved', 'scheduled']);
  assert.deepEqual(again, await shop.get(`/subscriptions/${id}`));
  await assertAcquirerAgrees(service, shop.account);
});
