/** `max_payments` of a link holds for buyers too (contract row 6.4). */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { advanceBy, DAY_MS } from '../../support/clock-calls.ts';
import { ADDRESS, customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage, DOCUMENTS, pixBody } from '../../support/pages/checkout-page.ts';
import { LinkPlaces } from '../../support/pages/link-places.ts';
import { type Json, startTestService, type TestAnswer, type TestService } from '../../support/service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const OPTIONS = { jobs: false, env: { TRUSTED_PROXIES: '127.0.0.1' } };

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService(OPTIONS);
});
after(() => service.stop());
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** Pays as often as the service is overloaded. */
async function insist(page: CheckoutPage, body: object, address: string): Promise<TestAnswer> {
  const idempotencyKey = crypto.randomUUID();
  for (;;) {
    const answer = await payFrom(page, body, address, idempotencyKey);
    if (![503, 409].includes(answer.status)) return answer;
  }
}

const payFrom = (
  page: CheckoutPage,
  body: object,
  address: string,
  idempotencyKey: string = crypto.randomUUID(),
) => page.pay(body, { idempotencyKey, headers: { 'x-forwarded-for': address } });

const payments = async (page: CheckoutPage): Promise<Json[]> =>
  (await shop.get(`/payments?per_page=100&payment_link_id=${page.id}`)).data;

describe('the places of a link', () => {
  test('of 200 buyers at the same time exactly 3 get one of 3', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 3 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => insist(page, pixBody(), `203.0.113.${i}`)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 3);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { body } of refused) assert.match(body.errors.status[0], /place/);
    assert.equal((await payments(page)).length, 3, 'a buyer without a place leaves no order');
    const counts = await (await LinkPlaces.of(service, shop, page.id)).counts();
    assert.deepEqual(counts, { paid: 0, underWay: 3, places: { under_way: 3 } });
  });

  test('are given back by an authorization that has expired, also if the acquirer refuses every void', async () => {
    const page = await CheckoutPage.ofLink(shop, { card_capture: false, max_payments: 1 });
    await page.paid(await page.cardBody({}, { number: '4000000000001208' }));
    await advanceBy(shop, 8.5 * DAY_MS);
    assert.equal((await page.pay(pixBody())).status, 422, 'a third void follows');
    await advanceBy(shop, DAY_MS);
    assert.equal((await payments(page))[0]!.status, 'pre_authorized');
    await page.paid(pixBody());
  });

  test('that are all taken by unpaid payments are no reason to type anything: the page says so', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 2 });
    const shown = async () => {
      const { payable, reason } = (await page.read()).body;
      return [payable, reason, (await page.link()).status];
    };
    await page.paid(pixBody());
    assert.deepEqual(await shown(), [true, null, 'active']);
    await page.paid(pixBody());
    assert.deepEqual(await shown(), [false, 'taken', 'active']);
    const { status, body } = await page.pay(pixBody());
    assert.deepEqual(
      [status, body.errors],
      [422, { status: ['Every place of this payment link is taken.'] }],
    );
    const [newer, older] = await payments(page);
    await shop.cancel(newer!.id);
    assert.deepEqual(await shown(), [true, null, 'active']);
    await shop.simulate(older!.id, 'paid');
    await page.paid(pixBody());
    assert.deepEqual(await shown(), [false, 'taken', 'active']);
    await shop.simulate((await payments(page))[0]!.id, 'paid');
    assert.deepEqual(await shown(), [false, 'exhausted', 'exhausted']);
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

const NETWORK = '198.51.100.7';

describe('payments from one network that are not paid yet, in production', () => {
  let production: TestService;
  before(async () => {
    production = await startTestService({ ...OPTIONS, overrides: { environment: 'production' } });
  });
  after(() => production.stop());
  beforeEach(async () => {
    shop = await Shop.open(production);
  });
  const expectTooMany = (answer: TestAnswer) => {
    assert.deepEqual([answer.status, answer.body.error?.code], [429, 'too_many_unpaid_charges']);
    assert.match(answer.body.error.message, /3 payments here that are not paid yet/);
    assert.equal(answer.headers.get('retry-after'), '60');
  };
  const fill = async (page: CheckoutPage, fields = {}) => {
    for (let i = 0; i < 3; i += 1) assert.equal((await payFrom(page, pixBody(fields), NETWORK)).status, 201);
  };

  test('take at most 3 places of a link, and leave the others to other buyers', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 10, payment_methods: ['pix', 'bank_slip'] });
    const customer = customerBody({ documents: DOCUMENTS, addresses: [ADDRESS] });
    await fill(page, { customer });
    expectTooMany(await payFrom(page, pixBody({ customer }), NETWORK));
    expectTooMany(await payFrom(page, { payment_method: 'bank_slip', customer }, NETWORK));
    assert.equal((await payFrom(page, pixBody({ customer }), '198.51.100.8')).status, 201);
    assert.equal((await payments(page)).length, 4, 'a refused one leaves no order');
    const other = await CheckoutPage.ofLink(shop, { max_payments: 10 });
    assert.equal((await payFrom(other, pixBody(), NETWORK)).status, 201);
  });

  test('are counted one after another if they are sent at the same time', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 10 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => insist(page, pixBody(), NETWORK)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 3);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectTooMany(answer);
  });

  test('stop counting when they are paid, canceled or expired', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 10 });
    await fill(page);
    await shop.simulate((await payments(page))[0]!.id, 'paid');
    assert.equal((await payFrom(page, pixBody(), NETWORK)).status, 201);
    expectTooMany(await payFrom(page, pixBody(), NETWORK));
    await shop.cancel((await payments(page))[0]!.id);
    assert.equal((await payFrom(page, pixBody(), NETWORK)).status, 201);
    expectTooMany(await payFrom(page, pixBody(), NETWORK));
    await shop.post('/sandbox/clock/advance', { days: 1 });
    await fill(page);
    const stored = await production.rows(
      `select 1 from payment_link_places where link_id = :id and state <> 'under_way' and buyer_network is not null`,
      { id: page.id },
    );
    assert.deepEqual(stored, [], 'the network of a decided payment is deleted');
  });

  test('do not limit cards, or a link without a limit', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 10 });
    await fill(page);
    assert.equal((await payFrom(page, await page.cardBody(), NETWORK)).status, 201);
    const open = await CheckoutPage.ofLink(shop);
    await fill(open);
    await fill(open);
  });

  test('at a full link are refused because of the link', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 3 });
    await fill(page);
    assertRefused(await payFrom(page, pixBody(), NETWORK), 'status');
  });
});

describe('payments from one network that are not paid yet, in the sandbox', () => {
  test('take every place of a link with 5 places, and no more', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 5 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => insist(page, pixBody(), NETWORK)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 5);
    const refused = answers.find(({ status }) => status !== 201)!;
    assertRefused(refused, 'status');
    assert.equal((await payments(page)).length, 5);
  });

  test('take at most 100 places of a link, and leave the others to other buyers', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 110 });
    const answers = await Promise.all(Array.from({ length: 110 }, () => insist(page, pixBody(), NETWORK)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 100);
    for (const { status, body, headers } of answers.filter(({ status }) => status !== 201)) {
      assert.deepEqual([status, body.error?.code], [429, 'too_many_unpaid_charges']);
      assert.match(body.error.message, /100 payments here that are not paid yet/);
      assert.equal(headers.get('retry-after'), '60');
    }
    assert.equal((await payFrom(page, pixBody(), '198.51.100.8')).status, 201);
  });
});
