import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { advance } from '../../support/clock-calls.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { linkBody, openLinkBody } from '../../support/pages/link-bodies.ts';
import { countPlaces } from '../../support/pages/link-places.ts';
import { type Json, startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const newLink = (body: object): Promise<Json> => created(shop.post('/payment-links', body));
const update = (id: string, body: object) => shop.call('PUT', `/payment-links/${id}`, { body });
const move = (id: string, to: 'disable' | 'enable') => shop.post(`/payment-links/${id}/${to}`);
const read = (id: string): Promise<Json> => shop.get(`/payment-links/${id}`);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** What subscriptions do not have: each charge is captured at once, in one installment. */
const ONCE_ONLY = { card_capture: false, max_installments: 2, interest_mode: 'installments' };

describe('updatePaymentLink', () => {
  test('200 changes the fields that are sent', async () => {
    const link = await newLink(linkBody({ description: 'Sábado', max_payments: 5 }));
    const changes = { title: 'Oficina', amount: 500, max_installments: 3, interest_free_installments: 3 };
    const { status, body } = await update(link.id, changes);
    assert.equal(status, 200);
    const { updated_at } = body;
    assert.deepEqual(body, { ...link, ...changes, updated_at });
    assert.deepEqual(await read(link.id), body);
  });

  test('200 null removes an optional field', async () => {
    const optional = {
      description: 'Sábado',
      expires_at: inAnHour(),
      max_payments: 5,
      soft_descriptor: 'OFICINA',
      notification_url: 'https://example.com/hooks',
      logo_url: 'https://example.com/a.png',
      brand_color: '#fff',
      recurrence_interval: 'monthly',
      recurrence_trial_days: 7,
    };
    const removed = Object.fromEntries(Object.keys(optional).map((name) => [name, null]));
    const link = await newLink(linkBody(optional));
    const { body } = await update(link.id, removed);
    assert.deepEqual(body, { ...link, ...removed, logo: null, updated_at: body.updated_at });
  });

  test('200 removes the amount if the buyer chooses it, and the trial days if there is no subscription', async () => {
    const open = (await update((await newLink(linkBody())).id, { amount_type: 'customer_defined' })).body;
    assert.deepEqual([open.amount_type, open.amount], ['customer_defined', null]);
    const link = await newLink(linkBody({ recurrence_interval: 'monthly', recurrence_trial_days: 7 }));
    const once = (await update(link.id, { recurrence_interval: null })).body;
    assert.deepEqual([once.recurrence_interval, once.recurrence_trial_days], [null, null]);
  });

  test('200 without boleto, the merchant chooses again whether to ask for an address', async () => {
    const link = await newLink(linkBody({ payment_methods: ['pix', 'bank_slip'] }));
    assert.equal(link.require_address, true);
    const { body } = await update(link.id, { payment_methods: ['pix'] });
    assert.equal(body.require_address, false);
  });

  const refused: [string, object, object, string[]][] = [
    ['an amount that the buyer types', openLinkBody(), { amount: 500 }, ['amount']],
    ['a fixed amount that is missing', openLinkBody(), { amount_type: 'fixed' }, ['amount']],
    [
      'a subscription without cards',
      linkBody({ payment_methods: ['pix'] }),
      { recurrence_interval: 'monthly' },
      ['recurrence_interval'],
    ],
    [
      'cards of a subscription',
      linkBody({ recurrence_interval: 'monthly' }),
      { payment_methods: ['pix'] },
      ['recurrence_interval'],
    ],
    [
      'a subscription whose amount the buyer types',
      linkBody({ recurrence_interval: 'monthly' }),
      { amount_type: 'customer_defined' },
      ['recurrence_interval'],
    ],
    [
      'what subscriptions do not have',
      linkBody({ recurrence_interval: 'monthly' }),
      ONCE_ONLY,
      Object.keys(ONCE_ONLY),
    ],
    [
      'a subscription of a link that has what subscriptions do not have',
      linkBody(ONCE_ONLY),
      { recurrence_interval: 'monthly' },
      Object.keys(ONCE_ONLY),
    ],
    ['free days without a subscription', linkBody(), { recurrence_trial_days: 7 }, ['recurrence_trial_days']],
    [
      'fewer installments than those without interest',
      linkBody({ max_installments: 6, interest_free_installments: 6 }),
      { max_installments: 3 },
      ['interest_free_installments'],
    ],
    [
      'all that is wrong at once',
      linkBody(),
      {
        expires_at: '2020-01-01T00:00:00Z',
        notification_url: 'https://localhost/',
        recurrence_trial_days: 7,
      },
      ['expires_at', 'notification_url', 'recurrence_trial_days'],
    ],
    [
      'bounds and unknown fields',
      linkBody(),
      { amount: 499, url: 'x', title: null },
      ['amount', 'url', 'title'],
    ],
  ];
  for (const [what, body, changes, paths] of refused) {
    test(`422 ${what}`, async () => {
      const link = await newLink(body);
      assertRefused(await update(link.id, changes), ...paths);
      assert.deepEqual(await read(link.id), link);
    });
  }

  test('a recurring link from before these rules is readable, sold, and changed with what it needs', async () => {
    const link = await newLink(linkBody(ONCE_ONLY));
    await service.rows("update payment_links set recurrence_interval = 'monthly' where id = :id", {
      id: link.id,
    });
    assert.deepEqual(await read(link.id), { ...link, recurrence_interval: 'monthly' });
    const page = new CheckoutPage(shop, link as { id: string; hash: string });
    const { payment } = await page.subscribed(await page.subscriptionBody());
    assert.deepEqual([payment.status, payment.installments], ['paid', 1]);
    assertRefused(await update(link.id, { title: 'Clube' }), ...Object.keys(ONCE_ONLY));
    const allowed = { card_capture: true, max_installments: 1, interest_mode: 'none' };
    assert.equal((await update(link.id, { title: 'Clube', ...allowed })).status, 200);
  });

  test('404', async () => {
    for (const id of [UNKNOWN_ID, 'workshop']) {
      const { status, body } = await update(id, { title: 'Oficina' });
      assert.deepEqual([status, body], [404, { message: 'Payment link not found.' }]);
    }
  });

  test('422 for a receipt in production without a mail server', async () => {
    await using production = await startTestService({
      jobs: false,
      overrides: { environment: 'production' },
    });
    const of = await Shop.open(production);
    const { id } = await created(of.post('/payment-links', linkBody()));
    const turnedOn = { send_email_receipt: true };
    assertRefused(await of.call('PUT', `/payment-links/${id}`, { body: turnedOn }), 'send_email_receipt');
    const { status } = await of.call('PUT', `/payment-links/${id}`, { body: { title: 'Oficina' } });
    assert.equal(status, 200);
    assert.equal((await of.get(`/payment-links/${id}`)).send_email_receipt, false);
  });
});

describe('the status of a payment link', () => {
  test('is set by disable and enable, which can be repeated', async () => {
    const link = await newLink(linkBody());
    const disabled = (await move(link.id, 'disable')).body;
    assert.deepEqual(disabled, { ...link, status: 'disabled', updated_at: disabled.updated_at });
    assert.deepEqual((await move(link.id, 'disable')).body, disabled);
    assert.equal((await update(link.id, { title: 'Oficina' })).body.status, 'disabled');
    const enabled = (await move(link.id, 'enable')).body;
    assert.equal(enabled.status, 'active');
    assert.deepEqual((await move(link.id, 'enable')).body, enabled);
  });

  test('is expired after expires_at by the clock of the merchant, until expires_at is changed', async () => {
    const { id } = await newLink(linkBody({ expires_at: inAnHour() }));
    await advance(shop, { days: 1 });
    assert.equal((await read(id)).status, 'expired');
    assert.equal((await move(id, 'disable')).body.status, 'disabled');
    assert.equal((await move(id, 'enable')).body.status, 'expired');
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString();
    assert.equal((await update(id, { expires_at: tomorrow })).body.status, 'active');
  });

  test('is exhausted when max_payments are paid, until max_payments is raised', async () => {
    const { id } = await newLink(linkBody({ max_payments: 2 }));
    await countPlaces(service, shop, id, 2);
    const full = await read(id);
    assert.deepEqual([full.status, full.payments_count], ['exhausted', 2]);
    assert.equal((await update(id, { max_payments: 3 })).body.status, 'active');
    assert.equal((await update(id, { max_payments: 1 })).body.status, 'exhausted');
    assert.equal((await update(id, { max_payments: null })).body.status, 'active');
  });

  test('404', async () => {
    for (const to of ['disable', 'enable'] as const) {
      const { status, body } = await move(UNKNOWN_ID, to);
      assert.deepEqual([status, body], [404, { message: 'Payment link not found.' }]);
    }
  });
});

describe('listPaymentLinks', () => {
  test('200 newest first, filtered by the status that is shown', async () => {
    const [exhausted, disabled] = [await newLink(linkBody({ max_payments: 1 })), await newLink(linkBody())];
    await newLink(linkBody({ expires_at: inAnHour() }));
    await countPlaces(service, shop, exhausted.id, 1);
    await move(disabled.id, 'disable');
    await advance(shop, { days: 1 });
    await newLink(linkBody({ max_payments: 1 }));
    await newLink(openLinkBody());
    const all: Json[] = (await shop.get('/payment-links')).data;
    assert.deepEqual(
      all.map(({ status }) => status),
      ['active', 'active', 'expired', 'disabled', 'exhausted'],
    );
    for (const status of ['active', 'expired', 'disabled', 'exhausted']) {
      const { data } = await shop.get(`/payment-links?status=${status}`);
      assert.deepEqual(
        data,
        all.filter((link) => link.status === status),
        status,
      );
    }
    const first = await shop.get('/payment-links?per_page=2');
    const next = `/payment-links?per_page=2&cursor=${first.pagination.next_cursor}`;
    assert.deepEqual((await shop.get(next)).data, all.slice(2, 4));
    const { data } = await shop.get(`/payment-links?status=active&created_from=${all[0].created_at}`);
    assert.deepEqual(data, all.slice(0, 1));
  });

  test('422 for an unknown status', async () => {
    assertRefused(await shop.call('GET', '/payment-links?status=archived'), 'status');
  });
});
