import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { missingAcquirer } from '../../../gateway/missing-acquirer.ts';
import { advance } from '../../support/clock-calls.ts';
import { startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import {
  changePlan,
  offerOf,
  paymentsOf,
  previewPlan,
  script,
} from '../../support/subscriptions/plan-change-calls.ts';
import { STOLEN, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

/** A change and its preview are refused for the same reason, and nothing is charged. */
async function refused(id: string, body: object, field: string): Promise<void> {
  const before = await shop.get(`/subscriptions/${id}`);
  for (const ask of [changePlan, previewPlan]) assertRefused(await ask(shop, id, body), field);
  assert.deepEqual(await shop.get(`/subscriptions/${id}`), before);
}

async function notFound(id: string, body: object): Promise<void> {
  for (const ask of [changePlan, previewPlan]) assert.equal((await ask(shop, id, body)).status, 404);
}

describe('a change of the plan is refused', () => {
  test('to an offer that does not exist, or is of another merchant', async () => {
    const { id } = await subscribed(shop);
    const others = await offerOf(await Shop.open(service), 9_990);
    for (const offer_id of [UNKNOWN_ID, others]) await notFound(id, { offer_id });
  });

  test('of a subscription that does not exist, or is of another merchant', async () => {
    const offer_id = await offerOf(shop, 9_990);
    const { id } = await subscribed(await Shop.open(service));
    for (const unknown of ['no such code', id]) await notFound(unknown, { offer_id });
  });

  test('to an offer that is archived, or is sold once', async () => {
    const { id } = await subscribed(shop);
    const archived = await offerOf(shop, 9_990);
    await shop.post(`/product-offers/${archived}/archive`);
    const product = await created(shop.post('/products', { name: 'Curso' }));
    const sold = { type: 'one_time', name: 'Avulso', amount: 9_990 };
    const once = await created(shop.post(`/products/${product.id}/offers`, sold));
    for (const offer_id of [archived, once.id]) await refused(id, { offer_id }, 'offer_id');
  });

  test('to a finite ladder that has ended before the next cycle', async () => {
    const { id } = await subscribed(shop);
    const ended = await offerOf(shop, 1, { cycles: [{ start: 1, end: 1, amount: 9_990 }] });
    for (const effective of ['next_cycle', 'immediate']) {
      await refused(id, { offer_id: ended, effective }, 'offer_id');
    }
    const last = await offerOf(shop, 1, { cycles: [{ start: 1, end: 2, amount: 9_990 }] });
    assert.equal((await changePlan(shop, id, { offer_id: last })).status, 200);
    await advance(shop, { to: `${inMonths(2)}T06:00:00-03:00` });
    assert.equal((await shop.get(`/subscriptions/${id}`)).status, 'completed');
    await refused(id, { offer_id: last }, 'status');
  });

  test('of a subscription that is canceled, or has ended', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    await shop.post('/subscriptions/cancel', { id });
    await refused(id, { offer_id }, 'status');
    await advance(shop, { to: `${inMonths(1)}T06:00:00-03:00` });
    assert.equal((await shop.get(`/subscriptions/${id}`)).status, 'ended');
    await refused(id, { offer_id }, 'status');
  });

  test('at once while a cycle is past due or unpaid', async () => {
    const offer_id = await offerOf(shop, 9_990);
    const unpaid = await subscribed(shop, {}, STOLEN);
    const late = await subscribed(shop);
    await script(shop, late.card_id, 'insufficient_funds');
    await advance(shop, { to: `${inMonths(1)}T06:00:00-03:00` });
    assert.equal((await shop.get(`/subscriptions/${late.id}`)).status, 'past_due');
    for (const { id } of [unpaid, late]) {
      await refused(id, { offer_id, effective: 'immediate' }, 'effective');
      assert.equal((await changePlan(shop, id, { offer_id, effective: 'next_cycle' })).status, 200);
    }
  });

  test('at once while no acquirer is configured, and nothing is left open', async () => {
    const { id } = await subscribed(shop);
    const body = { offer_id: await offerOf(shop, 9_990), effective: 'immediate' };
    const overrides = { acquirer: missingAcquirer };
    const unconnected = await startTestService({ jobs: false, beside: service, overrides });
    try {
      assert.equal((await changePlan(new Shop(unconnected, shop.onboarded), id, body)).status, 503);
    } finally {
      await unconnected.stop();
    }
    assert.equal((await changePlan(shop, id, body)).status, 200);
  });

  test('with an unknown value of effective, or without an offer', async () => {
    const { id } = await subscribed(shop);
    await refused(id, { offer_id: await offerOf(shop, 9_990), effective: 'now' }, 'effective');
    await refused(id, {}, 'offer_id');
    assert.equal((await paymentsOf(shop, id)).length, 1);
  });
});
