/** A buyer's request that is repeated after its process died, as the idempotency keys allow it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { findMerchant } from '../../../db/merchants/merchants.ts';
import {
  type CheckoutPaymentInput,
  createCheckoutPayment,
} from '../../../services/checkout/create-checkout-payment.ts';
import { returnResult } from '../../../services/deps.ts';
import { CheckoutPage } from '../../support/checkout-page.ts';
import { customerBody } from '../../support/parties.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

test('runs of one request make one payment, also when it has taken the last place and is paid', async () => {
  const shop = await Shop.open(service);
  const page = await CheckoutPage.ofLink(shop, { max_payments: 1 });
  const { credit_card, customer } = await page.cardBody({ customer: customerBody() });
  const input: CheckoutPaymentInput = {
    id: randomUUID(),
    isRerun: true,
    hash: page.hash,
    clientAddress: '203.0.113.1',
    method: 'credit_card',
    installments: 1,
    customer,
    encryptedCard: credit_card.encrypted,
  };
  const merchant = (await findMerchant(service.deps.db, shop.onboarded.merchant))!;
  const run = () => createCheckoutPayment(service.deps, merchant, input, returnResult);
  const first = await run();
  assert.equal((await page.read()).body.reason, 'exhausted');
  const [second, third] = await Promise.all([run(), run()]);
  assert.deepEqual([second.id, third.id], [first.id, first.id]);
  assert.equal((await shop.get('/payments')).data.length, 1);
});
