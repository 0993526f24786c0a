/** Changes of a payment that its buyer's page follows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutPayment } from '../../../domain/checkout/checkout-payment.ts';
import { slotOfHash } from '../../../domain/identifiers.ts';
import { findCheckoutPayment } from '../../../services/checkout/find-owner.ts';
import { followPayment } from '../../../services/checkout/follow-payment.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

test('two changes with the same `updated_at` are both shown', async () => {
  const shop = await Shop.open(service);
  const page = await CheckoutPage.ofLink(shop);
  const { hash } = await page.paid(pixBody());
  const waiting = await findCheckoutPayment(service.deps, hash);
  await shop.simulate(waiting.payment.id, 'paid');
  const { updatedAt } = (await findCheckoutPayment(service.deps, hash)).payment;
  const first: CheckoutPayment = { ...waiting, payment: { ...waiting.payment, updatedAt } };
  const scope = { slot: slotOfHash(hash)!, merchantId: shop.account };
  const statuses: string[] = [];
  const follower = {
    changed: ({ payment }: CheckoutPayment) => statuses.push(payment.status),
    unchanged() {},
    closed: new AbortController().signal,
  };
  await followPayment(service.deps, scope, first, follower);
  assert.deepEqual(statuses, ['waiting_payment', 'paid']);
});
