import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { reconcileDayOfMerchant } from '../../../services/payments/reconcile-day-of-merchant.ts';
import { fanOut } from '../../../services/webhooks/fan-out.ts';
import { advance, advanceBy, clockNow, MINUTE_MS } from '../../support/clock-calls.ts';
import { rowsPerTable } from '../../support/db/merchant-rows.ts';
import { companyBody } from '../../support/orders/parties.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { oneTimeOffer, recurringOffer } from '../../support/pages/offer-bodies.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { reconcileDays } from '../../support/run-jobs.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { requested } from '../../support/subscriptions/pix-recurring-calls.ts';
import { previewPlan } from '../../support/subscriptions/plan-change-calls.ts';
import { subscribed, subscribedByWallet } from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../../support/wallet/wallet-shop.ts';

const NO_FUNDS = '4000000000009995';
const NOTHING = {
  recipients: 0,
  customers: 0,
  cards: 0,
  orders: 0,
  payments: 0,
  refunds: 0,
  disputes: 0,
  events: 0,
  products: 0,
  offers: 0,
  payment_links: 0,
  subscriptions: 0,
  scripts: 0,
};

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const reset = (idempotencyKey?: string) => shop.post('/sandbox/reset', undefined, idempotencyKey);

/** Something of every kind. */
async function fill(of: Shop): Promise<void> {
  await created(of.post('/recipients', companyBody()));
  await created(of.post('/recipients', companyBody()));
  const product = await created(of.post('/products', { name: 'Curso' }));
  await created(of.post(`/products/${product.id}/offers`, oneTimeOffer()));
  const offer = await created(of.post(`/products/${product.id}/offers`, recurringOffer()));
  const logo_url = 'https://loja.invalid/logo.png';
  const page = await CheckoutPage.ofLink(of, { send_email_receipt: true, logo_url });
  await page.paid(await page.cardBody({}, { number: NO_FUNDS }));
  await page.paid(pixBody());
  const [{ id: bought }] = (await of.get('/payments?per_page=1')).data;
  await of.simulate(bought, 'paid');
  const domain = domainOf(of);
  await verifiedDomain(of, domain);
  await of.placed(await walletOrderBody(of, { domain }));
  await subscribedByWallet(of);
  const subscription = await subscribed(of);
  await previewPlan(of, subscription.id, { offer_id: offer.id });
  await requested(of);
  const paid = await of.cardPayment();
  await created(of.refund(paid.id, 1_000));
  await of.pixPayment();
  const customerId = await of.customer();
  const cardId = await of.card(customerId, '5555555555554444');
  const deleted = await of.card(customerId, '4000000000000002');
  await of.call('DELETE', `/cards/${deleted}`);
  const outcomes = [{ operation: 'authorize', outcome: 'lost_card' }];
  await created(of.post('/sandbox/scripts', { card_id: cardId, outcomes }, 'a script'));
  const { id } = await of.pixPayment();
  await deliver(
    service,
    notification(of.account, await of.reference(id), 'pix.paid', { amount_centavos: 1 }),
  );
  const endpoint = { url: 'https://loja.invalid/hook', events: ['*'] };
  const { id: endpointId } = await created(of.post('/webhook-endpoints', endpoint));
  await created(of.post(`/webhook-endpoints/${endpointId}/ping`));
  await fanOut(service.deps, of.onboarded.merchant);
  await of.simulate(id, 'paid');
  await of.simulate(paid.id, 'chargeback_requested');
  const [dispute] = (await of.get(`/disputes?payment_id=${paid.id}`)).data;
  assert.equal((await of.post(`/disputes/${dispute.id}/evidence`, { text: 'a' })).status, 200);
  await reconcileDays(service.deps);
  await reconcileDayOfMerchant(service.deps, { ...of.onboarded.merchant, day: merchantDay(new Date()) });
  await advanceBy(of, 31 * MINUTE_MS);
}

describe('200', () => {
  test('empties every table but the account, its keys, its endpoints, its wallet domains and its settings, and counts what it deleted', async () => {
    await fill(shop);
    const filled = await rowsPerTable(service, shop.account);
    const empty = Object.entries(filled).filter(([, rows]) => rows === 0);
    assert.deepEqual(empty, [], 'the test leaves a table out');
    const { status, body, text } = await reset('the reset itself');
    assert.equal(status, 200, text);
    const { events, ...counts } = body.deleted;
    assert.deepEqual(counts, {
      recipients: 2,
      customers: 10,
      cards: 3,
      orders: 6,
      payments: 9,
      refunds: 1,
      disputes: 1,
      products: 1,
      offers: 2,
      payment_links: 1,
      subscriptions: 3,
      scripts: 1,
    });
    assert.equal(events, filled.events);
    const left = Object.entries(await rowsPerTable(service, shop.account)).filter(([, rows]) => rows > 0);
    assert.deepEqual(Object.fromEntries(left), {
      api_keys: 1,
      idempotency_keys: 1,
      merchants: 1,
      verified_wallet_domains: 1,
      wallet_domains: 1,
      webhook_endpoints: 1,
    });
    for (const table of [
      'payments',
      'operations',
      'scheduled_events',
      'script_steps',
      'scripts',
      'notifications',
      'dispute_evidence',
    ]) {
      const rows = `select 1 from simulator.${table} where account = :account`;
      assert.deepEqual(await service.rows(rows, { account: shop.account }), [], table);
    }
  });

  test('sets the clock back to the present, at the acquirer too', async () => {
    await advance(shop, { days: 50 });
    assert.equal((await reset()).status, 200);
    const before = Date.now();
    const now = await clockNow(shop);
    assert.ok(before <= now && now <= Date.now(), new Date(now).toISOString());
    const { pix, id } = await shop.pixPayment();
    assert.ok(Date.parse(pix.expires_at) < Date.now() + 31 * MINUTE_MS);
    const books = await service.rows<{ clock_offset_ms: number }>(
      'select clock_offset_ms from simulator.accounts where account = :account',
      { account: shop.account },
    );
    assert.deepEqual(books, [{ clock_offset_ms: 0 }]);
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
  });

  test('forgets since when an endpoint fails, because its deliveries are deleted', async () => {
    const endpoint = { url: 'https://loja.invalid/hook', events: ['*'] };
    const { id } = await created(shop.post('/webhook-endpoints', endpoint));
    await service.rows(
      'update webhook_endpoints set failing_since = now(), idle_since = now() where id = :id',
      { id },
    );
    assert.equal((await reset()).status, 200);
    const rows = await service.rows(
      'select failing_since, idle_since from webhook_endpoints where id = :id',
      { id },
    );
    assert.deepEqual(rows, [{ failing_since: null, idle_since: null }]);
  });

  test('frees numbers, e-mails, codes and idempotency keys', async () => {
    const recipient = companyBody();
    const order = shop.pixOrderBody();
    const first = await created(shop.post('/recipients', recipient, 'r-1'));
    const placed = await shop.placed(order, 'o-1');
    await reset();
    const second = await created(shop.post('/recipients', recipient, 'r-1'));
    assert.deepEqual([first.number, second.number], [1, 1]);
    assert.notEqual(first.id, second.id);
    const again = await shop.placed(order, 'o-1');
    assert.notEqual(again.id, placed.id);
    assert.equal((await shop.call('GET', `/payments/${placed.payment.id}`)).status, 404);
    await shop.simulate(again.payment.id, 'paid');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('does not change the key, the settings and other merchants', async () => {
    const other = await Shop.open(service);
    await fill(other);
    const [theirs, account] = [await rowsPerTable(service, other.account), await shop.get('/merchant')];
    await fill(shop);
    await reset();
    assert.deepEqual(await rowsPerTable(service, other.account), theirs);
    assert.deepEqual(await shop.get('/merchant'), account);
    await assertAcquirerAgrees(service, other.account);
  });

  test('deletes nothing in an empty sandbox', async () => {
    assert.deepEqual((await reset()).body, { deleted: NOTHING });
  });

  test('returns the same answer for a repeated Idempotency-Key, and deletes once', async () => {
    await shop.customer();
    const first = await reset('reset-1');
    assert.equal(first.body.deleted.customers, 1);
    await shop.customer();
    const again = await reset('reset-1');
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal((await shop.get('/customers')).data.length, 1);
  });
});

describe('401 and 403', () => {
  test('no key, and a key without the permission', async () => {
    assert.equal((await shop.call('POST', '/sandbox/reset', { key: null })).status, 401);
    const { apiKey } = await service.newKey(shop.onboarded, ['sandbox:read']);
    assert.equal((await shop.call('POST', '/sandbox/reset', { key: apiKey })).status, 403);
  });
});

describe('503', () => {
  test('an acquirer that does not answer; nothing is deleted', async () => {
    const { id } = await shop.pixPayment();
    const { reset: real } = service.control;
    service.control.reset = async () => {
      throw new Error('down');
    };
    const answer = await reset();
    service.control.reset = real;
    assert.equal(answer.status, 503);
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
  });
});
