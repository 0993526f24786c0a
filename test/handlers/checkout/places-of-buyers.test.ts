/** `max_payments` of a link holds for buyers too (contract row 6.4). */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { CheckoutPage, DOCUMENTS, pixBody } from '../../support/checkout-page.ts';
import { LinkPlaces } from '../../support/link-places.ts';
import { ADDRESS, customerBody } from '../../support/parties.ts';
import type { Json, TestAnswer } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** Pays as often as the service is overloaded. */
async function insist(page: CheckoutPage, body: object): Promise<TestAnswer> {
  const idempotencyKey = crypto.randomUUID();
  for (;;) {
    const answer = await page.pay(body, { idempotencyKey });
    if (![503, 409].includes(answer.status)) return answer;
  }
}

const payments = async (page: CheckoutPage): Promise<Json[]> =>
  (await shop.get(`/payments?per_page=100&payment_link_id=${page.id}`)).data;

describe('the places of a link', () => {
  test('of 200 buyers at the same time exactly 3 get one of 3', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 3 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => insist(page, pixBody())));
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 3);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { body } of refused) assert.match(body.errors.status[0], /place/);
    assert.equal((await payments(page)).length, 3, 'a buyer without a place leaves no order');
    const counts = await (await LinkPlaces.of(service, shop, page.id)).counts();
    assert.deepEqual(counts, { paid: 0, underWay: 3, places: { under_way: 3 } });
  });

  test('are given back by payments that were refused, canceled or expired', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 1 });
    const expectFull = async () => assert.equal((await page.pay(pixBody())).status, 422);
    await page.paid(await page.cardBody({}, { number: '4000000000009995' }));
    await page.paid(pixBody());
    await expectFull();
    await shop.cancel((await payments(page))[0]!.id);
    await page.paid(pixBody());
    await expectFull();
    await shop.post('/sandbox/clock/advance', { days: 1 });
    const later = await page.paid(pixBody());
    await expectFull();
    assert.equal(later.status, 'waiting_payment');
  });

  test('are kept by payments that were paid, also after a refund', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 1 });
    await page.paid(await page.cardBody());
    assert.equal((await page.read()).body.reason, 'exhausted');
    const [payment] = await payments(page);
    assert.equal((await shop.refund(payment.id)).status, 201);
    assert.equal((await page.read()).body.reason, 'exhausted');
    assert.equal((await page.pay(pixBody())).status, 422);
  });

  test('are counted beyond the limit if money arrives after the boleto has expired', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 1, payment_methods: ['bank_slip', 'pix'] });
    const customer = customerBody({ documents: DOCUMENTS, addresses: [ADDRESS] });
    await page.paid({ payment_method: 'bank_slip', customer });
    const [late] = await payments(page);
    await shop.post('/sandbox/clock/advance', { days: 20 });
    await page.paid(pixBody({ customer }));
    await shop.simulate((await payments(page))[0]!.id, 'paid');
    await shop.simulate(late.id, 'paid');
    assert.deepEqual([(await page.link()).payments_count, (await shop.payment(late.id)).status], [2, 'paid']);
  });
});
