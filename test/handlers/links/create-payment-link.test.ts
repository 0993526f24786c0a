import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { linkBody, openLinkBody } from '../../support/pages/link-bodies.ts';
import { startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
before(async () => {
  shop = await Shop.open(service);
});

const create = (body: object, idempotencyKey?: string) => shop.post('/payment-links', body, idempotencyKey);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const DEFAULTS = {
  description: null,
  max_installments: 1,
  interest_mode: 'none',
  interest_free_installments: 1,
  card_capture: true,
  boleto_expiration_days: 3,
  pix_expiration_minutes: 30,
  expires_at: null,
  max_payments: null,
  collect_phone: false,
  require_address: false,
  soft_descriptor: null,
  notification_url: null,
  send_email_receipt: false,
  logo_url: null,
  logo: null,
  brand_color: null,
  recurrence_interval: null,
  recurrence_trial_days: null,
};

/** What subscriptions do not have: each charge is captured at once, in one installment. */
const ONCE_ONLY = { card_capture: false, max_installments: 2, interest_mode: 'installments' };

describe('201', () => {
  test('with only the required fields, and defaults for the others', async () => {
    const link = await created(create(linkBody()));
    const { id, hash, created_at, updated_at, ...rest } = link;
    assert.deepEqual(rest, {
      ...linkBody(),
      ...DEFAULTS,
      url: `${service.url}/l/${hash}`,
      status: 'active',
      payments_count: 0,
    });
    assert.match(hash, /^[a-z2-7]{16,}$/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(updated_at, created_at);
    assert.deepEqual(await shop.get(`/payment-links/${id.toUpperCase()}`), link);
  });

  test('with every field, as a later read returns them', async () => {
    const body = linkBody({
      description: 'Sábado, 10h',
      payment_methods: ['pix', 'credit_card', 'debit_card', 'bank_slip'],
      max_installments: 12,
      interest_mode: 'installments',
      interest_free_installments: 12,
      card_capture: false,
      boleto_expiration_days: 60,
      pix_expiration_minutes: 1_440,
      max_payments: 1,
      collect_phone: true,
      require_address: true,
      soft_descriptor: 'WORKSHOP RETRATO 2026!',
      notification_url: 'https://example.com/hooks',
      send_email_receipt: true,
      logo_url: 'https://example.com/logo.png',
      brand_color: '#1a7f5aCC',
    });
    const link = await created(create({ ...body, expires_at: '2031-11-30T23:59:59-03:00' }));
    for (const [name, value] of Object.entries(body)) assert.deepEqual(link[name], value, name);
    assert.equal(link.expires_at, '2031-12-01T02:59:59.000000Z');
    assert.deepEqual(await shop.get(`/payment-links/${link.id}`), link);
  });

  test('a recurring link with the fields of its subscriptions, and those of methods that it does not have', async () => {
    const body = linkBody({
      payment_methods: ['credit_card'],
      max_installments: 1,
      interest_mode: 'none',
      interest_free_installments: 1,
      card_capture: true,
      boleto_expiration_days: 60,
      pix_expiration_minutes: 1_440,
      recurrence_interval: 'half-yearly',
      recurrence_trial_days: 365,
    });
    const link = await created(create(body));
    for (const [name, value] of Object.entries(body)) assert.deepEqual(link[name], value, name);
    assert.deepEqual(await shop.get(`/payment-links/${link.id}`), link);
  });

  test('without an amount if the buyer chooses it', async () => {
    const link = await created(create(openLinkBody()));
    assert.deepEqual([link.amount_type, link.amount], ['customer_defined', null]);
  });

  test('a boleto always needs the address', async () => {
    const body = linkBody({ payment_methods: ['bank_slip'], require_address: false });
    assert.equal((await created(create(body))).require_address, true);
  });

  test('every method, interval and kind of color', async () => {
    for (const method of ['pix', 'credit_card', 'debit_card', 'bank_slip']) {
      await created(create(linkBody({ payment_methods: [method] })));
    }
    for (const recurrence_interval of ['monthly', 'quarterly', 'half-yearly', 'yearly']) {
      await created(create(linkBody({ recurrence_interval })));
    }
    for (const brand_color of ['#fff', '#fffc', '#00FF00', '#00ff00cc']) {
      await created(create(linkBody({ brand_color })));
    }
  });

  test('creates once under an Idempotency-Key', async () => {
    const first = await create(linkBody(), 'l-1');
    const again = await create(linkBody(), 'l-1');
    assert.deepEqual([again.status, again.text], [201, first.text]);
  });
});

describe('422', () => {
  const refused: [string, () => object, string[]][] = [
    ['nothing', () => ({}), ['title', 'amount_type', 'payment_methods']],
    ['the merchant', () => linkBody({ merchant_id: '1' }), ['merchant_id']],
    ['metadata', () => linkBody({ metadata: {} }), ['metadata']],
    ['a long title', () => linkBody({ title: 'x'.repeat(256) }), ['title']],
    ['no amount', () => linkBody({ amount: undefined }), ['amount']],
    ['an amount below 500', () => linkBody({ amount: 499 }), ['amount']],
    ['an amount that the buyer types', () => openLinkBody({ amount: 500 }), ['amount']],
    ['an unknown kind of amount', () => linkBody({ amount_type: 'free' }), ['amount_type']],
    ['no method', () => linkBody({ payment_methods: [] }), ['payment_methods']],
    ['a method twice', () => linkBody({ payment_methods: ['pix', 'pix'] }), ['payment_methods']],
    [
      'a method of subscriptions',
      () => linkBody({ payment_methods: ['pix_recurring'] }),
      ['payment_methods.0'],
    ],
    ['13 installments', () => linkBody({ max_installments: 13 }), ['max_installments']],
    ['0 installments', () => linkBody({ interest_free_installments: 0 }), ['interest_free_installments']],
    [
      'more installments without interest than installments',
      () => linkBody({ max_installments: 3, interest_free_installments: 4 }),
      ['interest_free_installments'],
    ],
    [
      'two installments without interest of one',
      () => linkBody({ interest_free_installments: 2 }),
      ['interest_free_installments'],
    ],
    ['an unknown interest', () => linkBody({ interest_mode: 'all' }), ['interest_mode']],
    ['a boleto of 61 days', () => linkBody({ boleto_expiration_days: 61 }), ['boleto_expiration_days']],
    ['a Pix of 4 minutes', () => linkBody({ pix_expiration_minutes: 4 }), ['pix_expiration_minutes']],
    [
      'a Pix of more than a day',
      () => linkBody({ pix_expiration_minutes: 1_441 }),
      ['pix_expiration_minutes'],
    ],
    ['an expiry in the past', () => linkBody({ expires_at: '2020-01-01T00:00:00Z' }), ['expires_at']],
    ['an expiry without a time', () => linkBody({ expires_at: '2031-01-01' }), ['expires_at']],
    ['no payment at most', () => linkBody({ max_payments: 0 }), ['max_payments']],
    [
      'a descriptor of 23 characters',
      () => linkBody({ soft_descriptor: 'x'.repeat(23) }),
      ['soft_descriptor'],
    ],
    ['a color by its name', () => linkBody({ brand_color: 'green' }), ['brand_color']],
    ['a color of five digits', () => linkBody({ brand_color: '#12345' }), ['brand_color']],
    ['a logo by http', () => linkBody({ logo_url: 'http://example.com/a.png' }), ['logo_url']],
    ['a logo in a private network', () => linkBody({ logo_url: 'https://10.0.0.1/a.png' }), ['logo_url']],
    ['a long logo', () => linkBody({ logo_url: `https://example.com/${'a'.repeat(240)}` }), ['logo_url']],
    [
      'a notification by http',
      () => linkBody({ notification_url: 'http://example.com/' }),
      ['notification_url'],
    ],
    [
      'a private notification',
      () => linkBody({ notification_url: 'https://localhost/' }),
      ['notification_url'],
    ],
    ['a weekly subscription', () => linkBody({ recurrence_interval: 'weekly' }), ['recurrence_interval']],
    [
      'a subscription whose amount the buyer types',
      () => openLinkBody({ recurrence_interval: 'monthly' }),
      ['recurrence_interval'],
    ],
    [
      'a subscription without cards',
      () => linkBody({ recurrence_interval: 'monthly', payment_methods: ['pix'] }),
      ['recurrence_interval'],
    ],
    [
      'free days without a subscription',
      () => linkBody({ recurrence_trial_days: 7 }),
      ['recurrence_trial_days'],
    ],
    ...Object.entries(ONCE_ONLY).map(([name, value]): [string, () => object, string[]] => [
      `a subscription with ${name} ${value}`,
      () => linkBody({ recurrence_interval: 'monthly', [name]: value }),
      [name],
    ]),
    [
      'no free days of a subscription',
      () => linkBody({ recurrence_interval: 'monthly', recurrence_trial_days: 0 }),
      ['recurrence_trial_days'],
    ],
    [
      'all that only the service knows, at once',
      () =>
        linkBody({
          payment_methods: ['pix', 'pix'],
          interest_free_installments: 2,
          expires_at: '2020-01-01T00:00:00Z',
          notification_url: 'https://localhost/',
          logo_url: 'https://localhost/',
          recurrence_interval: 'monthly',
        }),
      [
        'payment_methods',
        'interest_free_installments',
        'expires_at',
        'notification_url',
        'logo_url',
        'recurrence_interval',
      ],
    ],
  ];
  for (const [what, body, paths] of refused) {
    test(`${what}: ${paths.join(', ')}`, async () => assertRefused(await create(body()), ...paths));
  }

  test('a method that is not enabled for the account', async () => {
    const pix = await Shop.open(service, { paymentMethods: ['pix'] });
    const body = linkBody({ payment_methods: ['pix', 'bank_slip', 'credit_card'] });
    assertRefused(await pix.post('/payment-links', body), 'payment_methods.1', 'payment_methods.2');
  });

  test('an expiry in the past by the clock of the merchant', async () => {
    const later = await Shop.open(service);
    const expires_at = inAnHour();
    await created(later.post('/payment-links', linkBody({ expires_at })));
    await later.post('/sandbox/clock/advance', { days: 1 });
    assertRefused(await later.post('/payment-links', linkBody({ expires_at })), 'expires_at');
  });

  test('a receipt in production without a mail server', async () => {
    await using production = await startTestService({
      jobs: false,
      overrides: { environment: 'production' },
    });
    const answer = await production.call('POST', '/payment-links', {
      body: linkBody({ send_email_receipt: true }),
    });
    assertRefused(answer, 'send_email_receipt');
  });
});
