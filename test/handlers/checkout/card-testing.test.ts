/** Checkout pages are no use to people who test stolen cards (contract row 13.17). */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { HOUR_MS } from '../../../domain/durations.ts';
import { counterIdOf } from '../../../services/counter-id.ts';
import { withCheckDigit } from '../../support/cards/cards.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

const NO_FUNDS = '4000000000009995';

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({ jobs: false, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => service.stop());
beforeEach(async () => {
  shop = await Shop.open(service);
  service.setAhead(0);
});

/** Pays by a card from an address, and returns the status of the answer. */
async function tryCard(page: CheckoutPage, address: string, number = NO_FUNDS): Promise<number> {
  const body = await page.cardBody({}, { number });
  const answer = await page.pay(body, { headers: { 'x-forwarded-for': address } });
  if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) > 60);
  return answer.status;
}

/** One of many cards that are approved. */
const cardNumber = (index: number) => withCheckDigit(`42424210${String(index).padStart(7, '0')}`);

async function refusedTries(limit: string): Promise<number> {
  const text = await (await fetch(`${service.internalUrl}/metrics`)).text();
  const name = `centavo_checkout_card_tries_refused_total{limit="${limit}"}`;
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')[1] ?? 0,
  );
}

describe('card payments that are not approved', () => {
  test('are limited to 5 in an hour with one card, from any address', async () => {
    const page = await CheckoutPage.ofLink(shop);
    for (let i = 1; i <= 5; i += 1) assert.equal(await tryCard(page, `203.0.113.${i}`), 201);
    assert.equal(await tryCard(page, '203.0.113.6'), 429);
    service.setAhead(HOUR_MS + 61_000);
    assert.equal(await tryCard(page, '203.0.113.6'), 201);
  });

  test('are limited to 10 in an hour from one address, also at several pages', async () => {
    const pages = [await CheckoutPage.ofLink(shop), await CheckoutPage.ofOffer(shop)];
    const cards = [NO_FUNDS, '4000000000009987', '4000000000009979', '4000000000000002'];
    for (let i = 0; i < 10; i += 1) {
      assert.equal(await tryCard(pages[i % 2]!, '198.51.100.7', cards[i % 4]), 201);
    }
    assert.equal(await tryCard(pages[0]!, '198.51.100.7', cardNumber(1)), 429);
    assert.equal(await tryCard(pages[0]!, '198.51.100.8', cardNumber(1)), 201);
    const pix = await pages[0]!.pay(pixBody(), { headers: { 'x-forwarded-for': '198.51.100.7' } });
    assert.equal(pix.status, 201, 'other methods are not limited');
  });

  test('do not include approved ones', async () => {
    const page = await CheckoutPage.ofLink(shop);
    for (let i = 0; i < 12; i += 1) assert.equal(await tryCard(page, '192.0.2.1', cardNumber(i)), 201);
    const [row] = await service.rows<{ tries: number }>(
      'select sum(tries) as tries from checkout_tries where merchant_id = :account',
      { account: shop.account },
    );
    assert.equal(row!.tries, 0);
  });

  test('from one IPv6 network count together, and those at the same time too', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const cards = [NO_FUNDS, '4000000000009987', '4000000000009979', '4000000000000002'];
    const tries = Array.from({ length: 14 }, (_, i) => tryCard(page, `2001:db8:1:2::${i + 1}`, cards[i % 4]));
    const statuses = await Promise.all(tries);
    assert.ok(statuses.filter((status) => status === 201).length <= 10, String(statuses));
    assert.ok(statuses.includes(429));
    assert.equal(await tryCard(page, '2001:db8:1:3::1', cardNumber(1)), 201);
  });

  test('are limited to 100 in an hour at one page, where many buyers can pay at the same time', async () => {
    const page = await CheckoutPage.ofLink(shop);
    assert.equal(await tryCard(page, '203.0.113.1'), 201);
    await service.rows('update checkout_tries set tries = 99 where merchant_id = :account', {
      account: shop.account,
    });
    const approved = await Promise.all(
      [1, 2, 3].map((index) => tryCard(page, `203.0.113.10${index}`, cardNumber(index))),
    );
    assert.deepEqual(approved, [201, 201, 201]);
    assert.equal(await tryCard(page, '203.0.113.2', '4000000000009987'), 201, 'the hundredth');
    assert.equal(await tryCard(page, '203.0.113.99', cardNumber(4)), 429);
    assert.equal(await tryCard(await CheckoutPage.ofLink(shop), '203.0.113.99', cardNumber(4)), 201);
  });

  test('are limited for a page, and not for all pages of a merchant', async () => {
    const [first, second] = [await CheckoutPage.ofLink(shop), await CheckoutPage.ofLink(shop)];
    assert.equal(await tryCard(first, '203.0.113.1'), 201);
    await service.rows('update checkout_tries set tries = 1000 where merchant_id = :account', {
      account: shop.account,
    });
    assert.equal(await tryCard(first, '203.0.113.3', cardNumber(1)), 429);
    assert.equal(await tryCard(second, '203.0.113.3', cardNumber(1)), 201);
  });

  test('above a limit are logged and counted, so that an operator sees an attack', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const before = await refusedTries('card');
    for (let i = 1; i <= 6; i += 1) await tryCard(page, `203.0.113.${i}`);
    assert.equal(await refusedTries('card'), before + 1);
    const line = service.log.find(({ fields }) => fields.page_hash === page.hash);
    assert.deepEqual(
      [line?.level, line?.message, line?.fields.limits],
      ['warn', 'too many card tries', ['card']],
    );
    assert.equal(line?.fields.merchant_id, shop.account);
  });

  test('include subscriptions that begin with free days, which say later which cards work', async () => {
    const trial = { recurrence_interval: 'monthly', recurrence_trial_days: 7, amount: 4_990 };
    const page = await CheckoutPage.ofLink(shop, { ...trial, payment_methods: ['credit_card'] });
    const subscribe = async (address: string, number: string) => {
      const body = await page.subscriptionBody({}, { number });
      return (await page.subscribe(body, { headers: { 'x-forwarded-for': address } })).status;
    };
    for (let i = 0; i < 10; i += 1) assert.equal(await subscribe('192.0.2.9', cardNumber(i)), 201);
    assert.equal(await subscribe('192.0.2.9', cardNumber(10)), 429);
    for (let i = 1; i <= 4; i += 1) assert.equal(await subscribe(`192.0.2.1${i}`, cardNumber(0)), 201);
    assert.equal(await subscribe('192.0.2.20', cardNumber(0)), 429);
    const [row] = await service.rows<{ tries: number }>(
      'select coalesce(sum(tries), 0) as tries from checkout_tries where merchant_id = :account and counter_id = :id',
      { account: shop.account, id: counterIdOf(service.deps, 'page', page.id) },
    );
    assert.equal(row!.tries, 0, 'many buyers can subscribe at the page');
  });

  test('are forgotten by a reset of the sandbox', async () => {
    const page = await CheckoutPage.ofLink(shop);
    for (let i = 1; i <= 5; i += 1) assert.equal(await tryCard(page, '203.0.113.1'), 201);
    assert.equal(await tryCard(page, '203.0.113.1'), 429);
    assert.equal((await shop.post('/sandbox/reset')).status, 200);
    assert.equal(await tryCard(await CheckoutPage.ofLink(shop), '203.0.113.1'), 201);
  });
});

test('cards that cannot be read are limited, with a sentence for buyers', async () => {
  const page = await CheckoutPage.ofLink(shop);
  const body = { ...(await page.cardBody()), credit_card: { encrypted: 'AAAA.AAAA.AAAA.AAAA.AAAA' } };
  const answers = [];
  for (let i = 0; i < 61; i += 1) answers.push(await page.pay(body));
  assert.deepEqual(
    answers.slice(0, 60).map(({ status }) => status),
    Array(60).fill(400),
  );
  const { status, body: refusal } = answers.at(-1)!;
  assert.equal(status, 429);
  assert.match(refusal.error.message, /^Too many card details from your network could not be read/);
});
