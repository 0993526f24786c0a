import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { advanceBy, DAY_MS } from '../../support/clock-calls.ts';
import { BANK_ACCOUNT, companyBody } from '../../support/orders/parties.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { loseAnswers, reconcile } from '../../support/payments/acquirer-calls.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { requested } from '../../support/subscriptions/pix-recurring-calls.ts';
import { newOffer, subscribed } from '../../support/subscriptions/subscription-calls.ts';

describe('a service with one connection to its database', () => {
  let service: TestService;
  let shop: Shop;
  before(async () => {
    service = await startTestService({ env: { DATABASE_POOL: '1' } });
    shop = await Shop.open(service);
  });
  after(() => service.stop());

  /** Twice under one key, the second time from memory. */
  async function post(path: string, body?: object): Promise<Json> {
    const key = randomUUID();
    const first = await shop.post(path, body, key);
    assert.ok(first.status < 300, first.text);
    assert.equal((await shop.post(path, body, key)).text, first.text);
    return first.body;
  }
  const put = async (path: string, body: object) =>
    assert.equal((await shop.call('PUT', path, { body })).status, 200);

  async function parties(): Promise<void> {
    await shop.get('/merchant');
    const recipient = await post('/recipients', companyBody({ bank_account: BANK_ACCOUNT }));
    await put(`/recipients/${recipient.id}`, { bank_account: { account_number: '7654321' } });
    await shop.get(`/recipients/${recipient.id}`);
    await shop.get('/recipients');
    await shop.get(`/recipients/${recipient.number}/balance`);
    const customer = await shop.customer();
    await put(`/customers/${customer}`, { name: 'Outra' });
    for (const path of ['', `/${customer}`, `/${customer}/cards`]) await shop.get(`/customers${path}`);
  }

  async function cards(): Promise<void> {
    await shop.get('/cards/encryption-key');
    const card = await shop.card(await shop.customer());
    await shop.get(`/cards/${card}`);
    const outcomes = [{ operation: 'authorize', outcome: 'lost_card' }];
    const script = await post('/sandbox/scripts', { card_id: card, outcomes });
    await shop.get('/sandbox/scripts');
    await shop.get('/sandbox/emails');
    assert.equal((await shop.call('DELETE', `/sandbox/scripts/${script.id}`)).status, 204);
    await post(`/cards/${card}/network-token`);
    assert.equal((await shop.call('DELETE', `/cards/${card}`)).status, 204);
  }

  async function sales(): Promise<void> {
    const product = await post('/products', { name: 'Curso' });
    await put(`/products/${product.id}`, { name: 'Clube' });
    const offer = await post(`/products/${product.id}/offers`, recurringOffer());
    await put(`/product-offers/${offer.id}`, { name: 'Anual' });
    for (const to of ['archive', 'restore']) await post(`/product-offers/${offer.id}/${to}`);
    for (const path of ['', `/${product.id}`, `/${product.id}/offers`]) await shop.get(`/products${path}`);
    await shop.get(`/product-offers/${offer.id}`);
    const link = await post('/payment-links', linkBody({ notification_url: 'https://example.com/hooks' }));
    await put(`/payment-links/${link.id}`, { title: 'Oficina' });
    for (const to of ['disable', 'enable']) await post(`/payment-links/${link.id}/${to}`);
    for (const path of ['', `/${link.id}`]) await shop.get(`/payment-links${path}`);
  }

  async function checkout(): Promise<void> {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 2 });
    const paid = await page.paid(await page.cardBody());
    assert.match((await page.call('GET', `/payments/${paid.hash}/events`)).text, /^event: payment\n/);
    for (const path of [`/l/${page.hash}`, `/p/${paid.hash}`]) {
      const shown = await fetch(service.url + path);
      assert.equal(shown.status, 200);
      assert.match(await shown.text(), /R\$\u00a0159,90/);
    }
    const { hash } = await page.paid(pixBody());
    assert.equal((await page.payment(hash)).status, 'waiting_payment');
    const recurring = { recurrence_interval: 'monthly', payment_methods: ['credit_card'] };
    const club = await CheckoutPage.ofLink(shop, recurring);
    const started = await club.subscribed(await club.subscriptionBody());
    assert.equal((await club.subscription(started.hash)).status, 'active');
  }

  async function wallets(): Promise<void> {
    const domain_name = 'loja.wallet.test';
    const { id } = await post('/mobile-wallet/domains', { domain_name });
    assert.equal((await post(`/mobile-wallet/domains/${id}/verify`)).status, 'verified');
    for (const path of ['', `/${id}`]) await shop.get(`/mobile-wallet/domains${path}`);
    const { validationURL } = await post('/sandbox/wallet-sessions', { domain_name });
    await post('/sandbox/wallet-tokens', { domain_name });
    const body = { validationURL, domainName: domain_name };
    const { status } = await shop.call('POST', '/mobile-wallet/validate-session', { key: null, body });
    assert.equal(status, 200);
    assert.equal((await shop.call('DELETE', `/mobile-wallet/domains/${id}`)).status, 204);
  }

  async function subscriptions(): Promise<void> {
    const asked = await requested(shop);
    await post(`/sandbox/subscriptions/${asked.id}/authorize`);
    await post(`/sandbox/subscriptions/${asked.id}/cancel-mandate`);
    const { id, code, card_id } = await subscribed(shop);
    const card = { payment_method: 'credit_card', credit_card: { id: card_id } };
    await put(`/subscriptions/${id}/payment-method`, card);
    await put(`/subscriptions/${id}/payment-method`, { payment_method: 'pix_recurring' });
    const change = { offer_id: await newOffer(shop), effective: 'immediate' };
    const { data } = await post(`/subscriptions/${id}/change-plan/preview`, change);
    await post(`/subscriptions/${id}/change-plan`, { ...change, preview_id: data.preview_id });
    for (const path of ['', `/${code}`, `/${id}/invoices`]) await shop.get(`/subscriptions${path}`);
    await post('/subscriptions/cancel', { id });
    await post(`/subscriptions/${id}/reactivate`);
  }

  async function webhooks(): Promise<void> {
    const { id } = await post('/webhook-endpoints', { url: 'https://example.com/hooks', events: ['*'] });
    await put(`/webhook-endpoints/${id}`, { description: 'Loja' });
    await put(`/sandbox/webhook-endpoints/${id}/faults`, { duplicate: true });
    for (const path of ['', `/${id}`]) await shop.get(`/webhook-endpoints${path}`);
    await post(`/webhook-endpoints/${id}/rotate-secret`);
    await post(`/webhook-endpoints/${id}/ping`);
    const { data } = await shop.get('/webhook-deliveries');
    await shop.get(`/webhook-deliveries/${data[0].id}`);
    await post(`/webhook-deliveries/${data[0].id}/redeliver`);
    assert.equal((await shop.call('DELETE', `/webhook-endpoints/${id}`)).status, 204);
  }

  async function payments(): Promise<void> {
    const { payment: paid } = await post('/charges/orders', await shop.cardOrderBody());
    const refund = await post(`/payments/${paid.id}/refunds`, { amount: 100 });
    await shop.get(`/payments/${paid.id}/refunds/${refund.id}`);
    await post(`/sandbox/payments/${paid.id}/simulate`, { outcome: 'chargeback_requested' });
    const [dispute] = (await shop.get('/disputes')).data;
    await shop.get(`/disputes/${dispute.id}`);
    await post(`/disputes/${dispute.id}/evidence`, { text: 'Entregue em 24/11.' });
    await post(`/payments/${(await shop.authorized()).id}/capture`);
    await post(`/payments/${(await shop.authorized()).id}/cancel`);
    const pix = await shop.pixPayment();
    await post(`/sandbox/payments/${pix.id}/simulate`, { outcome: 'paid' });
    const lost = loseAnswers(service);
    const { id } = (await shop.placed(shop.pixOrderBody())).payment;
    lost.undo();
    await reconcile(service);
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
    await shop.get(`/payments/${paid.id}/refunds`);
    await shop.get('/payments');
    await shop.get('/balance');
    await shop.get('/ledger-entries');
    await shop.get('/charges/orders?status=paid');
    await shop.get(`/charges/orders/${paid.order_code}`);
    const [event] = await shop.events(paid.id);
    await shop.get(`/events/${event.id}`);
    await advanceBy(shop, 32 * DAY_MS);
    assert.equal((await shop.get('/subscriptions')).data[0].successful_charges, 2);
    assert.equal((await shop.payment(id)).status, 'expired');
    await post('/sandbox/reset');
  }

  it('performs every operation: none waits for a second connection while it holds the first', async () => {
    await Promise.all([parties(), cards(), sales(), checkout(), wallets(), subscriptions(), webhooks()]);
    await payments();
    const asked = new Set(service.log.map(({ fields }) => fields.operation));
    const all = [...loadContract().operations.values()].map(({ operationId }) => operationId);
    assert.deepEqual(
      all.filter((operation) => !asked.has(operation)),
      [],
    );
    assert.deepEqual(
      service.log.filter(({ level }) => level !== 'info'),
      [],
    );
  });
});
