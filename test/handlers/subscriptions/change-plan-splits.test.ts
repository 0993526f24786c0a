/** The difference of an upgrade at once, when the payments of the subscription are split. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import { individualBody } from '../../support/orders/parties.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { changeNow, offerOf, paymentsOf } from '../../support/subscriptions/plan-change-calls.ts';
import { subscribe, subscriptionBody } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

async function recipient(): Promise<string> {
  return (await created(shop.post('/recipients', individualBody()))).number;
}

/** The id of a new subscription whose payments are split. */
async function withSplit(...split: object[]): Promise<string> {
  const body = await subscriptionBody(shop);
  return (await created(subscribe(shop, { ...body, payment: { ...body.payment, split } }))).id;
}

describe('an upgrade at once', () => {
  test('shares the difference with the recipients, who pay its fee', async () => {
    const recipient_id = await recipient();
    const id = await withSplit({
      recipient_id,
      type: 'percentage',
      amount: 40,
      allow_charge_processing_fee: true,
    });
    await changeNow(shop, id, await offerOf(shop, 9_990));
    const { payment } = await shop.get(`/subscriptions/${id}`);
    assert.deepEqual(
      payment.split.map(({ share_amount, fee_amount }: Json) => [share_amount, fee_amount]),
      [[2_000, payment.fee_amount]],
    );
    assert.deepEqual([payment.merchant_amount, payment.fee_amount > 0], [3_000, true]);
  });

  test('gives fixed shares, which are of a cycle, nothing of the difference', async () => {
    const [first, second] = await Promise.all([recipient(), recipient()]);
    const id = await withSplit(
      { recipient_id: first, type: 'fixed', amount: 1_500, is_liable: true },
      { recipient_id: second, type: 'percentage', amount: 40 },
    );
    await changeNow(shop, id, await offerOf(shop, 9_990));
    const renewal = billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);
    await advance(shop, { to: `${renewal}T06:00:00-03:00` });
    assert.deepEqual(
      (await paymentsOf(shop, id)).map(({ amount, split: shares, merchant_amount }) => [
        amount,
        shares.map(({ recipient_id, share_amount }: Json) => [recipient_id, share_amount]),
        merchant_amount,
      ]),
      [
        [
          4_990,
          [
            [first, 1_500],
            [second, 1_996],
          ],
          1_494,
        ],
        [5_000, [[second, 2_000]], 3_000],
        [
          9_990,
          [
            [first, 1_500],
            [second, 3_996],
          ],
          4_494,
        ],
      ],
    );
    await assertAcquirerAgrees(service, shop.account);
  });
});

test('a plan that is cheaper than the fixed shares cuts the last ones first', async () => {
  const [first, second] = await Promise.all([recipient(), recipient()]);
  const id = await withSplit(
    { recipient_id: first, type: 'fixed', amount: 2_000 },
    { recipient_id: second, type: 'fixed', amount: 2_000 },
  );
  const body = { offer_id: await offerOf(shop, 3_000), effective: 'next_cycle' };
  assert.equal((await shop.post(`/subscriptions/${id}/change-plan`, body)).status, 200);
  const renewal = billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);
  await advance(shop, { to: `${renewal}T06:00:00-03:00` });
  const { payment } = await shop.get(`/subscriptions/${id}`);
  const shares = payment.split.map(({ recipient_id, share_amount }: Json) => [recipient_id, share_amount]);
  assert.deepEqual(
    [payment.amount, payment.merchant_amount, shares],
    [
      3_000,
      0,
      [
        [first, 2_000],
        [second, 1_000],
      ],
    ],
  );
  await assertAcquirerAgrees(service, shop.account);
});
