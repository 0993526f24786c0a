/** `max_payments` of a recurring link counts the subscriptions that have started (contract row 13.14). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { withCheckDigit } from '../../support/cards/cards.ts';
import { customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { LinkPlaces } from '../../support/pages/link-places.ts';
import { type Json, startTestService, type TestAnswer, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { NO_FUNDS } from '../../support/subscriptions/subscription-calls.ts';

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({ jobs: false, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => service.stop());
beforeEach(async () => {
  shop = await Shop.open(service);
});

const ofLink = (fields: object) =>
  CheckoutPage.ofLink(shop, { recurrence_interval: 'monthly', payment_methods: ['credit_card'], ...fields });

/** One of many buyers, with an address and a card of its own, subscribes as often as the service is overloaded. */
async function insist(page: CheckoutPage, body: object, index: number): Promise<TestAnswer> {
  const headers = { 'x-forwarded-for': `203.0.113.${index}` };
  const idempotencyKey = crypto.randomUUID();
  for (;;) {
    const answer = await page.subscribe(body, { idempotencyKey, headers });
    if (![503, 409].includes(answer.status)) return answer;
  }
}

describe('the places of a recurring link', () => {
  for (const [buyers, trial] of [
    [200, {}],
    [20, { recurrence_trial_days: 7 }],
  ] as const) {
    test(`are 3 for ${buyers} buyers at the same time, ${buyers < 200 ? 'with' : 'without'} a trial`, async () => {
      const page = await ofLink({ max_payments: 3, ...trial });
      const bodies: Json[] = [];
      for (let index = 0; index < buyers; index += 1) {
        const number = withCheckDigit(`42424210${String(index).padStart(7, '0')}`);
        bodies.push(await page.subscriptionBody({ customer: customerBody() }, { number }));
      }
      const answers = await Promise.all(bodies.map((body, index) => insist(page, body, index)));
      const refused = answers.filter(({ status }) => status !== 201);
      assert.equal(answers.length - refused.length, 3);
      for (const { body } of refused) assert.match(body.errors.status[0], /place|maximum number of payments/);
      assert.equal((await shop.get('/subscriptions?per_page=100')).data.length, 3);
      const counts = await (await LinkPlaces.of(service, shop, page.id)).counts();
      assert.deepEqual(counts, { paid: 3, underWay: 0, places: { counted: 3 } });
      assert.equal((await page.read()).body.reason, 'exhausted');
    });
  }

  test('that are all taken hide which card a subscriber has', async () => {
    const page = await ofLink({ max_payments: 2 });
    const customer = customerBody();
    await page.subscribed(await page.subscriptionBody({ customer }));
    await (await LinkPlaces.of(service, shop, page.id)).take();
    const number = withCheckDigit('424242100000042');
    for (const card of [{}, { number }]) {
      const { status, body } = await page.subscribe(await page.subscriptionBody({ customer }, card));
      assert.deepEqual([status, Object.keys(body.errors)], [422, ['status']]);
    }
  });

  test('are given back by a first charge that is refused', async () => {
    const page = await ofLink({ max_payments: 1 });
    const refused = await page.subscribed(await page.subscriptionBody({}, { number: NO_FUNDS }));
    assert.equal(refused.status, 'ended');
    assert.equal((await page.link()).payments_count, 0);
    const made = await page.subscribed(await page.subscriptionBody());
    assert.equal(made.status, 'active');
    assert.equal((await page.subscribe(await page.subscriptionBody())).status, 422);
  });

  test('are not counted again by later charges, and stay counted after a cancellation', async () => {
    const page = await ofLink({ max_payments: 2 });
    await page.subscribed(await page.subscriptionBody());
    await shop.post('/sandbox/clock/advance', { days: 70 });
    const [subscription] = (await shop.get('/subscriptions')).data;
    await shop.post('/subscriptions/cancel', { id: subscription.id });
    await shop.post('/sandbox/clock/advance', { days: 40 });
    assert.equal((await page.link()).payments_count, 1);
  });
});
