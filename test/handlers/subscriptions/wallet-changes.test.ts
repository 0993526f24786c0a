import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { advance } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import {
  GOOD,
  invoices,
  NO_FUNDS,
  newOffer,
  STOLEN,
  subscribe,
  subscribed,
  subscribedByWallet,
  walletSubscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';
import { until } from '../../support/until.ts';
import { domainOf, LONG_TOKENS, verifiedDomain, walletToken } from '../../support/wallet/wallet-shop.ts';

const TOKEN = 'browser_wallet.browser_wallet_token';
const MASTERCARD = '5555555555554444';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
  await verifiedDomain(shop, domainOf(shop));
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const put = (id: string, body: object) => shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });

/** The body of a change to a wallet with a new token. */
async function toWallet(number = GOOD) {
  const browser_wallet_token = await walletToken(shop, { number, domain: domainOf(shop) });
  return { payment_method: 'browser_wallet', browser_wallet: { browser_wallet_token } };
}

async function changed(id: string, body: object): Promise<Json> {
  const answer = await put(id, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** How many credentials of wallets the shop has. */
async function credentials(): Promise<number> {
  const rows = await service.rows('select 1 from wallet_credentials where merchant_id = :account', {
    account: shop.account,
  });
  return rows.length;
}

/** Replaces the credential of the shop's subscription as another request does, in the transaction of `client`. */
async function replaceCredential(client: pg.Client): Promise<void> {
  await client.query(
    `create temporary table replaced on commit drop as
       select *, gen_random_uuid() as next_id from wallet_credentials where merchant_id = '${shop.account}'`,
  );
  await client.query(
    `insert into wallet_credentials
       select (jsonb_populate_record(w, jsonb_build_object('id', r.next_id))).*
         from replaced r join wallet_credentials w on w.merchant_id = r.merchant_id and w.id = r.id`,
  );
  await client.query(
    'update subscriptions s set wallet_credential_id = r.next_id from replaced r where s.merchant_id = r.merchant_id',
  );
  await client.query(
    'delete from wallet_credentials w using replaced r where w.merchant_id = r.merchant_id and w.id = r.id',
  );
}

describe('a change of the payment method to a wallet', () => {
  test('charges the next cycle to the card in the wallet', async () => {
    const { id } = await subscribed(shop);
    const { status, payment_method, card_id } = await changed(id, await toWallet(MASTERCARD));
    assert.deepEqual([status, payment_method, card_id], ['active', 'browser_wallet', null]);
    assert.equal((await invoices(shop, id)).length, 1);
    await advanceTo(month(1));
    const { payment, successful_charges } = await read(id);
    assert.deepEqual(
      [successful_charges, payment.browser_wallet],
      [2, { wallet: 'apple_pay', brand: 'mastercard', last_4: '4444' }],
    );
  });

  test('recovers an unpaid subscription at once', async () => {
    const { id, status } = await subscribedByWallet(shop, {}, NO_FUNDS);
    assert.equal(status, 'unpaid');
    const recovered = await changed(id, await toWallet());
    assert.deepEqual([recovered.status, recovered.successful_charges], ['active', 1]);
    const [invoice] = await invoices(shop, id);
    assert.deepEqual(
      invoice!.payments.map(({ status }: Json) => status),
      ['refused', 'paid'],
    );
    await advanceTo(month(1));
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('takes the place of a boleto that is not paid, whose cycle the wallet then pays', async () => {
    const body = await walletSubscriptionBody(shop);
    const payment = { amount: 4_990, payment_method: 'pix' };
    const { id } = await created(subscribe(shop, { ...body, payment }));
    await changed(id, await toWallet());
    await advanceTo(month(1));
    const { status, successful_charges } = await read(id);
    assert.deepEqual([status, successful_charges], ['active', 2]);
  });

  test('replaces the wallet, and forgets the credential of the old one', async () => {
    const { id } = await subscribedByWallet(shop);
    await changed(id, await toWallet(MASTERCARD));
    assert.equal(await credentials(), 1);
    await advanceTo(month(1));
    assert.equal((await read(id)).payment.browser_wallet.last_4, '4444');
  });

  test('replaces a wallet whose first charge has no answer yet, and is charged if that is refused', async () => {
    const body = await walletSubscriptionBody(shop, {}, NO_FUNDS);
    const { id, status } = await withLostAnswers(service, () => created(subscribe(shop, body)));
    assert.equal(status, 'payment_pending');
    await changed(id, await toWallet());
    await reconcile(service);
    service.setAhead(0);
    assert.equal((await read(id)).status, 'payment_refused');
    await advanceTo(addDays(merchantDay(new Date()), 1));
    assert.equal((await read(id)).status, 'active');
  });

  test('is refused with a card that the issuer refuses or a used or malformed token, and changes nothing', async () => {
    const { id, card_id } = await subscribed(shop);
    assertRefused(await put(id, await toWallet(STOLEN)), TOKEN);
    const used = await toWallet();
    await changed((await subscribedByWallet(shop)).id, used);
    assertRefused(await put(id, used), TOKEN);
    for (const browser_wallet_token of LONG_TOKENS) {
      const malformed = { payment_method: 'browser_wallet', browser_wallet: { browser_wallet_token } };
      assertRefused(await put(id, malformed), TOKEN);
    }
    assertRefused(await put(id, { payment_method: 'browser_wallet' }), 'browser_wallet');
    assert.equal((await read(id)).card_id, card_id);
  });
});

describe('a subscription by wallet', () => {
  test('can change to a card, which forgets the credential', async () => {
    const { id, customer_id } = await subscribedByWallet(shop);
    const card = await shop.card(customer_id, MASTERCARD);
    const body = { payment_method: 'credit_card', credit_card: { id: card } };
    assert.equal((await changed(id, body)).card_id, card);
    assert.equal(await credentials(), 0);
    await advanceTo(month(1));
    assert.equal((await read(id)).payment.credit_card.last_4, '4444');
  });

  test('can be canceled and reactivated, and is then charged on the same day', async () => {
    const { id } = await subscribedByWallet(shop);
    await shop.post('/subscriptions/cancel', { id });
    assert.equal((await shop.post(`/subscriptions/${id}/reactivate`)).status, 200);
    await advanceTo(month(1));
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('forgets the credential when it has ended', async () => {
    const { id } = await subscribedByWallet(shop);
    await shop.post('/subscriptions/cancel', { id });
    assert.equal(await credentials(), 1);
    await advanceTo(month(1));
    assert.deepEqual([(await read(id)).status, await credentials()], ['ended', 0]);
  });

  test('that was never paid cannot be reactivated', async () => {
    const { id } = await subscribedByWallet(shop, {}, NO_FUNDS);
    await shop.post('/subscriptions/cancel', { id });
    assert.equal((await shop.post(`/subscriptions/${id}/reactivate`)).status, 422);
  });

  test('whose credential is replaced while its upgrade is prepared can try the upgrade again', async () => {
    const { id } = await subscribedByWallet(shop);
    const offer_id = await newOffer(shop, { cycles: [{ start: 1, end: null, amount: 90_000 }] });
    const other = new pg.Client({ connectionString: service.databaseUrl });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('lock table wallet_credentials in access exclusive mode');
      await replaceCredential(other);
      const upgrade = shop.post(`/subscriptions/${id}/change-plan`, { offer_id, effective: 'immediate' });
      await until('the upgrade waits', async () => {
        const waiting = await service.rows(
          `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
            where l.relation = 'wallet_credentials'::regclass and not l.granted and a.datname = current_database()`,
        );
        return waiting.length > 0;
      });
      await other.query('commit');
      const { status, body, headers } = await upgrade;
      assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
      assert.match(body.error.message, /^The means of payment was replaced at the same time\./);
    } finally {
      await other.end();
    }
  });
});
