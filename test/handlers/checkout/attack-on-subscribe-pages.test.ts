/** What an enemy tries at the pages where buyers subscribe, and at the pages of their subscriptions. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { lockOfferForSale } from '../../../db/products/offers.ts';
import { customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const SCRIPT = '</title><script>alert(1)</script><img src=x onerror=alert(2)>"\'`';
const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service, { name: SCRIPT.slice(0, 60) });
});

const MONTHLY = { recurrence_interval: 'monthly', payment_methods: ['credit_card'], amount: 4_990 };
const subscriptions = async (): Promise<Json[]> => (await shop.get('/subscriptions')).data;

async function pageText(path: string, init: RequestInit = {}) {
  const response = await fetch(`${service.url}${path}`, { redirect: 'manual', ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Fails if a text of the merchant or of the buyer is markup in a page. */
async function assertEscaped(path: string): Promise<void> {
  for (const language of ['pt-BR', 'en']) {
    const { text } = await pageText(path, { headers: { 'accept-language': language } });
    assert.doesNotMatch(text, /<script>alert|<img src=x/, path);
    assert.match(text, /&lt;script&gt;alert|&lt;img/, path);
  }
}

describe('the texts of a merchant', () => {
  test('are texts, and not markup, at the pages of a link and of its subscription', async () => {
    const page = await CheckoutPage.ofLink(shop, { ...MONTHLY, title: SCRIPT, description: SCRIPT });
    const customer = customerBody({ name: 'Ana <script>alert(1)</script>' });
    const { hash, payment } = await page.subscribed(await page.subscriptionBody({ customer }));
    for (const path of [`/l/${page.hash}`, `/a/${hash}`]) await assertEscaped(path);
    assert.equal((await pageText(`/p/${payment.hash}`)).status, 303);
    await shop.post('/subscriptions/cancel', { code: hash, reason: SCRIPT });
    await assertEscaped(`/a/${hash}`);
  });

  test('are texts at the pages of an offer and of its subscription', async () => {
    const product = await created(shop.post('/products', { name: SCRIPT, description: SCRIPT }));
    const offer = await created(
      shop.post(`/products/${product.id}/offers`, recurringOffer({ name: SCRIPT })),
    );
    const page = new CheckoutPage(shop, offer);
    const { hash } = await page.subscribed(await page.subscriptionBody());
    for (const path of [`/s/${page.hash}`, `/a/${hash}`]) await assertEscaped(path);
  });
});

describe('a hash', () => {
  test('that is forged is of no page, and is not shown again', async () => {
    const page = await CheckoutPage.ofLink(shop, MONTHLY);
    const { hash } = await page.subscribed(await page.subscriptionBody());
    const { code, id } = (await subscriptions())[0]!;
    assert.equal(code, hash);
    const swapped = `${hash.slice(0, -1)}${hash.endsWith('a') ? 'b' : 'a'}`;
    const otherSlot = `${hash.startsWith('aa') ? 'ab' : 'aa'}${hash.slice(2)}`;
    const forged = [
      swapped,
      otherSlot,
      id,
      hash.toUpperCase(),
      'x'.repeat(3_000),
      '%00',
      encodeURIComponent(`${hash}' or 1=1 --`),
      encodeURIComponent('<script>alert(1)</script>'),
      '..%2f..%2fa',
    ];
    for (const path of forged) {
      for (const kind of ['a', 's', 'p']) {
        const { status, text } = await pageText(`/${kind}/${path}`);
        assert.ok(status >= 400 && status < 500, `/${kind}/${path} answered ${status}`);
        assert.doesNotMatch(text, /<script>alert/);
      }
      const { status } = await page.call('GET', `/subscriptions/${path}`);
      assert.ok(status >= 400 && status < 500, path);
    }
  });

  test('of a payment, a subscription or a page of another kind is not found as the other', async () => {
    const page = await CheckoutPage.ofLink(shop, MONTHLY);
    const { hash, payment } = await page.subscribed(await page.subscriptionBody());
    for (const path of [
      `/a/${page.hash}`,
      `/a/${payment.hash}`,
      `/p/${hash}`,
      `/p/${page.hash}`,
      `/s/${hash}`,
    ]) {
      assert.equal((await pageText(path)).status, 404, path);
    }
  });

  test('does not show the data of the buyer to others', async () => {
    const page = await CheckoutPage.ofLink(shop, MONTHLY);
    const customer = customerBody({
      name: 'Beatriz Lima',
      documents: [{ type: 'cpf', value: '52998224725' }],
    });
    const { hash } = await page.subscribed(await page.subscriptionBody({ customer }));
    const { text } = await pageText(`/a/${hash}`);
    const read = JSON.stringify(await page.subscription(hash));
    for (const secret of ['Beatriz', customer.email, '52998224725', '4242424242424242']) {
      assert.ok(!text.includes(secret) && !read.includes(secret), secret);
    }
  });
});

describe('a page that has stayed open', () => {
  test('of an offer that was archived, or a link that was disabled, creates no subscription', async () => {
    const ofOffer = await CheckoutPage.ofOffer(shop, recurringOffer());
    const ofLink = await CheckoutPage.ofLink(shop, MONTHLY);
    const bodies = [await ofOffer.subscriptionBody(), await ofLink.subscriptionBody()];
    await shop.post(`/product-offers/${ofOffer.id}/archive`);
    assert.equal((await shop.post(`/payment-links/${ofLink.id}/disable`)).status, 200);
    for (const [at, page] of [ofOffer, ofLink].entries()) {
      const { status, body } = await page.subscribe(bodies[at]!);
      assert.equal(status, 422);
      assert.deepEqual(Object.keys(body.errors), ['status']);
    }
    assert.deepEqual(await subscriptions(), []);
  });

  test('of an offer that is archived meanwhile says that it is closed, and an offer is sold to many at once', async () => {
    const page = await CheckoutPage.ofOffer(shop, recurringOffer());
    const bodies = [await page.subscriptionBody(), await page.subscriptionBody()];
    const { merchant } = shop.onboarded;
    await service.deps.db.transaction(merchant, async (tx) => {
      await lockOfferForSale(tx, merchant, page.id);
      assert.equal((await page.subscribe(bodies[0]!)).status, 201);
    });
    let asked: ReturnType<typeof page.subscribe>;
    await service.deps.db.transaction(merchant, async (tx) => {
      await tx.execute(merchant, "update offers set state = 'archived' where {scope} and id = :id", {
        id: page.id,
      });
      asked = page.subscribe(bodies[1]!);
      await until('the buyer waits for the offer', async () => {
        const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await service.rows(waiting)).length > 0;
      });
    });
    const { status, body } = await asked!;
    assert.deepEqual([status, body.errors], [422, { status: ['This offer is no longer sold.'] }]);
    assert.equal((await subscriptions()).length, 1);
  });

  test('shows the subscription also after its offer was archived', async () => {
    const page = await CheckoutPage.ofOffer(shop, recurringOffer());
    const { hash } = await page.subscribed(await page.subscriptionBody());
    await shop.post(`/product-offers/${page.id}/archive`);
    assert.equal((await pageText(`/a/${hash}`)).status, 200);
  });

  test('with the terms of another page creates no subscription', async () => {
    const [cheap, dear] = [
      await CheckoutPage.ofLink(shop, { ...MONTHLY, amount: 500 }),
      await CheckoutPage.ofLink(shop, { ...MONTHLY, amount: 90_000 }),
    ];
    const { terms } = await cheap.subscriptionBody();
    const answer = await dear.subscribe(await dear.subscriptionBody({ terms }));
    assert.equal(answer.status, 422);
    assert.deepEqual(Object.keys(answer.body.errors), ['terms']);
  });
});

test('a form of another site creates no subscription', async () => {
  const page = await CheckoutPage.ofLink(shop, MONTHLY);
  const body = new URLSearchParams({ name: 'Ana', email: 'a@example.com', payment_method: 'credit_card' });
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  assert.equal((await pageText(`/l/${page.hash}`, { method: 'POST', body, headers })).status, 403);
  assert.deepEqual(await subscriptions(), []);
});
