/**
 * The refunds of the latest charge of a subscription end it only when all of the charge is refunded (contract row 8.7).
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { authorized, mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';
import { story, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });

describe('a subscription whose latest charge is refunded in two parts', () => {
  for (const [method, create, paidUp] of [
    ['card', subscribed, 'active'],
    ['Pix recurring', authorized, 'payment_approved'],
  ] as const) {
    test(`by ${method} ends with the second part`, async () => {
      const { id, payment } = await create(shop);
      await created(shop.refund(payment.id, 1_990));
      const partly = await read(id);
      assert.deepEqual([partly.status, partly.payment.status], [paidUp, 'partially_refunded']);
      const before = (await story(shop)).length;
      await created(shop.refund(payment.id, 3_000));
      const ended = await read(id);
      assert.deepEqual([ended.status, ended.payment.status], ['ended', 'refunded']);
      assert.deepEqual([ended.next_charge_at, ended.ended_at === null], [null, false]);
      const { length, ...events } = (await story(shop)).slice(before);
      assert.deepEqual(Object.values(events).slice(-2), [
        'subscription.inactivated ended',
        'subscription.ended ended',
      ]);
      assert.equal(length, 4);
      await advanceTo(month(1));
      assert.equal((await read(id)).successful_charges, 1);
    });
  }

  test('has its mandate ended at the acquirer', async () => {
    const { payment } = await authorized(shop);
    for (const amount of [1_990, 3_000]) await created(shop.refund(payment.id, amount));
    await advance(shop, { days: 1 });
    assert.deepEqual(await mandateStates(shop), ['canceled']);
  });

  test('goes on if the second part is of an earlier charge', async () => {
    const { id, payment: first } = await subscribed(shop);
    await created(shop.refund(first.id, 1_990));
    await advanceTo(month(1));
    await created(shop.refund(first.id, 3_000));
    const { status, payment } = await read(id);
    assert.deepEqual(
      [status, payment.status, (await shop.payment(first.id)).status],
      ['active', 'paid', 'refunded'],
    );
    for (const amount of [990, 4_000]) await created(shop.refund(payment.id, amount));
    assert.equal((await read(id)).status, 'ended');
  });
});
