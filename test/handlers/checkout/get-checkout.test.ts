/** What a checkout page shows, and why nothing can be paid there (contract rows 6.5, 13.12, 13.15, 13.16). */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { SANDBOX_REQUESTS_PER_MINUTE } from '../../../domain/merchants/plans.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { openLinkBody } from '../../support/pages/link-bodies.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { useUpRequests } from '../../support/pages/used-up-requests.ts';
import { startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** The reason why nothing can be paid. A payment must be refused too. */
async function reasonOf(page: CheckoutPage): Promise<string> {
  const { status, body } = await page.read();
  assert.deepEqual([status, body.payable], [200, false]);
  assertRefused(await page.pay(pixBody()), 'status');
  return body.reason;
}

describe('the page of a payment link', () => {
  test('shows the price, the payment methods and the installments, without an API key', async () => {
    const page = await CheckoutPage.ofLink(shop, {
      max_installments: 3,
      collect_phone: true,
      brand_color: '#0a5',
    });
    const { status, body } = await page.read();
    assert.equal(status, 200);
    const { card_encryption_key: key, ...shown } = body;
    assert.deepEqual(shown, {
      hash: page.hash,
      payable: true,
      reason: null,
      merchant_name: 'Outra Loja',
      title: 'Workshop',
      description: null,
      amount: 15_990,
      currency: 'BRL',
      payment_methods: ['pix', 'credit_card'],
      max_installments: 3,
      installments: [
        {
          installments: 1,
          total_amount: 15_990,
          interest_amount: 0,
          first_amount: 15_990,
          installment_amount: 15_990,
        },
        {
          installments: 2,
          total_amount: 15_990,
          interest_amount: 0,
          first_amount: 7_995,
          installment_amount: 7_995,
        },
        {
          installments: 3,
          total_amount: 15_990,
          interest_amount: 0,
          first_amount: 5_330,
          installment_amount: 5_330,
        },
      ],
      collect_phone: true,
      require_address: false,
      logo_url: null,
      brand_color: '#0a5',
      recurrence_interval: null,
      trial_days: 0,
      recurrence: null,
    });
    assert.deepEqual(key, await shop.get('/cards/encryption-key'));
  });

  test('shows the interest of the account, from the first number of installments that has it', async () => {
    await changeMerchant(service.deps, shop.account, { installmentInterest: { 2: 199, 3: 299 } });
    const page = await CheckoutPage.ofLink(shop, {
      amount: 10_001,
      interest_mode: 'installments',
      interest_free_installments: 2,
      max_installments: 4,
    });
    const { installments } = (await page.read()).body;
    assert.deepEqual(
      installments.map((option: { installments: number }) => option.installments),
      [1, 2, 3],
      'the account has no rate for 4',
    );
    assert.deepEqual(installments[2], {
      installments: 3,
      total_amount: 10_300,
      interest_amount: 299,
      first_amount: 3_434,
      installment_amount: 3_433,
    });
  });

  test('shows the installments of an amount that the buyer types', async () => {
    const fields = openLinkBody({ max_installments: 2 });
    const page = await CheckoutPage.ofLink(shop, fields);
    assert.deepEqual((await page.read()).body.installments, []);
    const { body } = await page.read('?amount=1001');
    assert.equal(body.amount, null);
    assert.deepEqual(
      body.installments.map((option: { first_amount: number }) => option.first_amount),
      [1_001, 501],
    );
    assertRefused(await page.read('?amount=0'), 'amount');
  });

  test('offers only methods that the account still has', async () => {
    const page = await CheckoutPage.ofLink(shop, {});
    await changeMerchant(service.deps, shop.account, { paymentMethods: ['pix'] });
    assert.deepEqual((await page.read()).body.payment_methods, ['pix']);
    await changeMerchant(service.deps, shop.account, { paymentMethods: ['bank_slip'] });
    assert.equal(await reasonOf(page), 'unavailable');
  });

  test('requires an address if a boleto can be chosen', async () => {
    for (const payment_methods of [['bank_slip'], ['pix', 'bank_slip']]) {
      const page = await CheckoutPage.ofLink(shop, { payment_methods });
      assert.equal((await page.read()).body.require_address, true);
    }
  });

  test('says why nothing can be paid: disabled, expired', async () => {
    const disabled = await CheckoutPage.ofLink(shop);
    await shop.post(`/payment-links/${disabled.id}/disable`);
    assert.equal(await reasonOf(disabled), 'disabled');
    const expired = await CheckoutPage.ofLink(shop, {
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await shop.post('/sandbox/clock/advance', { days: 1 });
    assert.equal(await reasonOf(expired), 'expired');
  });

  test('is not payable while the account is not approved', async () => {
    const page = await CheckoutPage.ofLink(shop);
    await shop.suspend();
    const { body } = await page.read();
    assert.deepEqual([body.payable, body.reason], [false, 'unavailable']);
    assert.equal((await page.pay(pixBody())).status, 403);
  });
});

describe('the page of an offer', () => {
  test('shows the product, the name of the offer and every method of the account', async () => {
    const page = await CheckoutPage.ofOffer(shop);
    const { body } = await page.read();
    assert.deepEqual([body.title, body.description, body.amount], ['Curso', 'À vista', 49_900]);
    assert.deepEqual(body.payment_methods, ['pix', 'credit_card', 'debit_card', 'bank_slip']);
    await shop.post(`/product-offers/${page.id}/archive`);
    assert.equal(await reasonOf(page), 'archived');
    await shop.post(`/product-offers/${page.id}/restore`);
    assert.equal((await page.read()).body.payable, true);
  });

  test('shows the prices, the interval and the trial of a subscription', async () => {
    const page = await CheckoutPage.ofOffer(shop, recurringOffer());
    const { payable, amount, payment_methods, recurrence_interval, trial_days, recurrence } = (
      await page.read()
    ).body;
    assert.deepEqual([payable, amount, payment_methods], [true, 2_990, ['credit_card']]);
    assert.deepEqual([recurrence_interval, trial_days], ['monthly', 7]);
    assert.deepEqual(
      recurrence.price_bands.map(({ start, end, amount: price }: Record<string, unknown>) => [
        start,
        end,
        price,
      ]),
      [
        [1, 3, 2_990],
        [4, null, 4_990],
      ],
    );
  });

  test('shows prices of charges in the far future without a date', async () => {
    const cycles = [
      { start: 1, end: 999_999, amount: 100 },
      { start: 1_000_000, end: null, amount: 200 },
    ];
    const page = await CheckoutPage.ofOffer(shop, recurringOffer({ interval: 'yearly', cycles }));
    const { recurrence } = (await page.read()).body;
    assert.equal(recurrence.price_bands[1].first_charge_on, null);
  });
});

test('a page or a payment that does not exist is not found, whatever its hash looks like', async () => {
  const page = await CheckoutPage.ofLink(shop);
  const order = await shop.pixPayment();
  for (const hash of [UNKNOWN_ID, `zz${page.hash.slice(2)}`, page.hash.toUpperCase(), '%00', page.id]) {
    const { status, body } = await page.call('GET', `/${hash}`);
    assert.deepEqual([status, Object.keys(body)], [404, ['message']], hash);
    assert.equal((await page.call('POST', `/${hash}/payments`, { body: pixBody() })).status, 404, hash);
  }
  for (const hash of [page.hash, order.hash, order.id]) {
    assert.equal((await page.call('GET', `/payments/${hash}`)).status, 404, hash);
  }
});

test('an unknown query parameter is refused', async () => {
  const page = await CheckoutPage.ofLink(shop);
  const { hash } = await page.paid(pixBody());
  assertRefused(await page.read('?expand=payment'), 'expand');
  assertRefused(await page.call('GET', `/payments/${hash}?expand=payment`), 'expand');
  const path = `/${page.hash}/payments?expand=payment`;
  assertRefused(await page.call('POST', path, { body: pixBody() }), 'expand');
});

test('an address can make as many requests per minute as an API key in the sandbox', async () => {
  const page = await CheckoutPage.ofLink(shop);
  assert.equal((await page.read()).headers.get('ratelimit-limit'), '3000');
  await useUpRequests(service, shop.account);
  const { status, body } = await page.read();
  assert.deepEqual(
    [status, body.error.message],
    [429, `Your network can make ${SANDBOX_REQUESTS_PER_MINUTE + 1} requests per minute.`],
  );
});

test('the limit of a merchant for its keys is one of its buyers only if it is higher than theirs', async () => {
  await using production = await startTestService({
    jobs: false,
    overrides: { environment: 'production' },
  });
  for (const [of, usual] of [
    [service, 3_000],
    [production, 600],
  ] as const) {
    const own = await Shop.open(of);
    const page = await CheckoutPage.ofLink(own);
    for (const [limit, expected] of [
      [5, usual],
      [usual + 1, usual + 1],
      [null, usual],
    ]) {
      await changeMerchant(of.deps, own.account, { rateLimitPerMinute: limit! });
      for (let i = 0; i < 6; i += 1) {
        const { status, headers } = await page.read();
        assert.deepEqual([status, headers.get('ratelimit-limit')], [200, String(expected)]);
      }
      const { headers } = await own.call('GET', '/customers');
      assert.equal(headers.get('ratelimit-limit'), String(limit ?? usual), 'for a key it is the limit');
    }
  }
});
