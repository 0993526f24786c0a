import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { HOUR_MS } from '../../../domain/durations.ts';
import { advanceBy } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';
import { assertRefused, created, Shop, statusesOf } from '../../support/shop.ts';
import {
  LONG_TOKENS,
  verifiedDomain,
  walletOrderBody,
  walletToken,
} from '../../support/wallet/wallet-shop.ts';

const TOKEN = 'payment.browser_wallet.browser_wallet_token';

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({ jobs: false });
  shop = await Shop.open(service);
  await verifiedDomain(shop);
});
after(() => service.stop());

async function ordersOf(of: Shop): Promise<Json[]> {
  return (await of.get('/charges/orders')).data;
}

describe('201 by wallet', () => {
  it('is authorized and captured at once, and shows the wallet and the card in it', async () => {
    const { status, payment } = await shop.placed(await walletOrderBody(shop, { amount: 12_990 }));
    assert.deepEqual([status, payment.status, payment.captured_amount], ['paid', 'paid', 12_990]);
    assert.deepEqual(statusesOf(payment), ['processing', 'AUTHORIZED', 'paid']);
    assert.deepEqual(payment.browser_wallet, { wallet: 'apple_pay', brand: 'visa', last_4: '4242' });
    assert.deepEqual([payment.payment_method, payment.installments], ['browser_wallet', 1]);
    assert.ok(payment.fee_amount > 0);
    assert.deepEqual(await shop.eventNames(payment.id), [
      'payment.created',
      'payment.authorized',
      'payment.updated',
    ]);
  });

  it('is refused by the test card in the wallet, and the order exists', async () => {
    const body = await walletOrderBody(shop, { number: '4000000000009995' });
    const { status, payment } = await shop.placed(body);
    assert.deepEqual([status, payment.refusal.code], ['refused', 'insufficient_funds']);
  });

  it('hands the token and the descriptor to the acquirer', async () => {
    const token = await walletToken(shop);
    const asked: object[] = [];
    const spy = service.intercept((real) => ({
      authorize: (command) => {
        asked.push(command);
        return real.perform(command);
      },
    }));
    const block = { browser_wallet_token: token, statement_descriptor: 'LOJA AZUL' };
    await shop.placed(await walletOrderBody(shop, {}, block));
    spy.undo();
    const [command] = asked as [{ walletToken: string; statementDescriptor: string; capture: boolean }];
    assert.deepEqual(
      [command.walletToken, command.statementDescriptor, command.capture],
      [token, 'LOJA AZUL', true],
    );
  });

  it('is refunded, disputed and found in the list like a card payment', async () => {
    const { payment } = await shop.placed(await walletOrderBody(shop));
    assert.equal((await shop.refund(payment.id, 2_000)).body.status, 'succeeded');
    await shop.simulate(payment.id, 'chargeback_requested');
    assert.equal((await shop.payment(payment.id)).status, 'chargeback_requested');
    const query = `customer_id=${payment.customer_id}&payment_method=browser_wallet`;
    assert.deepEqual(
      (await shop.get(`/payments?${query}`)).data.map(({ id }: Json) => id),
      [payment.id],
    );
  });

  it('is pending for 30 days like a card payment', async () => {
    const fresh = await Shop.open(service);
    await verifiedDomain(fresh, 'saldo.wallet.test');
    await fresh.placed(await walletOrderBody(fresh, { domain: 'saldo.wallet.test', amount: 10_000 }));
    const before = await fresh.get('/balance');
    assert.deepEqual([before.available, before.pending > 0], [0, true]);
    await advanceBy(fresh, 31 * 24 * HOUR_MS);
    const { available, pending } = await fresh.get('/balance');
    assert.deepEqual([available, pending], [before.pending, 0]);
  });

  it('is settled by the reconciler after a lost answer', async () => {
    const body = await walletOrderBody(shop);
    const { payment } = await withLostAnswers(service, () => shop.placed(body));
    assert.equal(payment.status, 'processing');
    await reconcile(service);
    assert.equal((await shop.payment(payment.id)).status, 'paid');
  });

  it('is answered again under the same Idempotency-Key, and charged once', async () => {
    const body = await walletOrderBody(shop);
    const key = randomUUID();
    const first = await shop.order(body, key);
    assert.equal(first.status, 201);
    assert.equal((await shop.order(body, key)).text, first.text);
  });
});

describe('capture_delay_hours', () => {
  const delayed = async (of: Shop, capture_delay_hours: number) => {
    const token = await walletToken(of, { domain: 'hora.wallet.test' });
    const block = { browser_wallet_token: token, capture_delay_hours };
    return (await of.placed(await walletOrderBody(of, {}, block))).payment;
  };
  let clocked: Shop;
  before(async () => {
    clocked = await Shop.open(service);
    await verifiedDomain(clocked, 'hora.wallet.test');
  });

  it('captures the amount at its time, and not before', async () => {
    const payment = await delayed(clocked, 24);
    assert.deepEqual([payment.status, payment.captured_amount], ['pre_authorized', 0]);
    await advanceBy(clocked, 23 * HOUR_MS);
    assert.equal((await clocked.payment(payment.id)).status, 'pre_authorized');
    await advanceBy(clocked, 2 * HOUR_MS);
    const { status, captured_amount } = await clocked.payment(payment.id);
    assert.deepEqual([status, captured_amount], ['paid', payment.amount]);
    const names = await clocked.eventNames(payment.id);
    assert.equal(names.at(-1), 'payment.capture_confirmed');
  });

  it('does not capture what the merchant has canceled before', async () => {
    const payment = await delayed(clocked, 167);
    assert.equal((await clocked.cancel(payment.id)).status, 200);
    await advanceBy(clocked, 168 * HOUR_MS);
    assert.equal((await clocked.payment(payment.id)).status, 'canceled');
  });

  it('is 1 to 167, and only with capture true', async () => {
    const field = 'payment.browser_wallet.capture_delay_hours';
    for (const block of [
      { capture_delay_hours: 0 },
      { capture_delay_hours: 168 },
      { capture_delay_hours: 24, capture: false },
    ]) {
      assertRefused(await shop.order(await walletOrderBody(shop, {}, block)), field);
    }
  });
});

describe('422 on the token, and no order', () => {
  async function refused(body: object, sentence: string): Promise<void> {
    const before = (await ordersOf(shop)).length;
    const { status, body: answer } = await shop.order(body);
    assert.deepEqual([status, answer.errors], [422, { [TOKEN]: [sentence] }]);
    assert.equal((await ordersOf(shop)).length, before);
  }

  it('that is malformed', async () => {
    const token = await walletToken(shop);
    for (const wrong of [
      'x',
      'wallet_',
      `${token}x`,
      token.slice(0, -4),
      `${token}=`,
      token.replace('wallet_', ''),
      JSON.stringify({ paymentData: {} }),
      '🎉'.repeat(8_193),
      ...LONG_TOKENS,
    ]) {
      const block = { browser_wallet_token: wrong };
      await refused(await walletOrderBody(shop, {}, block), 'Must be the unmodified token from the wallet.');
    }
  });

  it('of another account, or of a domain that is no longer verified', async () => {
    const other = await Shop.open(service);
    await verifiedDomain(other, 'alheia.wallet.test');
    const foreign = await walletToken(other, { domain: 'alheia.wallet.test' });
    const sentence = 'The token is not of a domain that you have verified.';
    await refused(await walletOrderBody(shop, {}, { browser_wallet_token: foreign }), sentence);
    const { id } = await verifiedDomain(shop, 'antiga.wallet.test');
    const old = await walletToken(shop, { domain: 'antiga.wallet.test' });
    await shop.call('DELETE', `/mobile-wallet/domains/${id}`);
    await refused(await walletOrderBody(shop, {}, { browser_wallet_token: old }), sentence);
  });

  it('that was used, also when two orders use it at once', async () => {
    const block = { browser_wallet_token: await walletToken(shop) };
    const bodies = [await walletOrderBody(shop, {}, block), await walletOrderBody(shop, {}, block)];
    const statuses = (await Promise.all(bodies.map((body) => shop.order(body)))).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, 422]);
    await refused(await walletOrderBody(shop, {}, block), 'The token has already been used.');
  });

  it('that has expired, used or not', async () => {
    const moved = await Shop.open(service);
    await verifiedDomain(moved, 'amanha.wallet.test');
    const wallet = { domain: 'amanha.wallet.test' };
    const block = { browser_wallet_token: await walletToken(moved, wallet) };
    const used = await walletOrderBody(moved, wallet);
    await created(moved.order(used));
    await advanceBy(moved, 24 * HOUR_MS);
    for (const token of [block, used.payment.browser_wallet]) {
      const { status, body } = await moved.order(await walletOrderBody(moved, wallet, token));
      const sentence = 'The token has expired. The buyer must confirm the payment again.';
      assert.deepEqual([status, body.errors], [422, { [TOKEN]: [sentence] }]);
    }
    await created(moved.order(await walletOrderBody(moved, wallet)));
  });

  it('together with the other violations of the order', async () => {
    const body = await walletOrderBody(shop, {}, { browser_wallet_token: 'x' });
    const { status, body: answer } = await shop.order({ ...body, mcc: '5812' });
    assert.deepEqual([status, Object.keys(answer.errors).sort()], [422, ['mcc', TOKEN]]);
  });

  it('an order that is refused for another reason does not use up the token', async () => {
    const body = await walletOrderBody(shop);
    assert.equal((await shop.order({ ...body, mcc: '5812' })).status, 422);
    await created(shop.order(body));
  });
});

it('503 while the acquirer cannot read tokens, and no order', async () => {
  const body = await walletOrderBody(shop);
  const lost = service.intercept(() => ({
    wallet_token: async () => ({ kind: 'unknown', cause: 'time_out' }),
  }));
  const { status, headers } = await shop.order(body);
  lost.undo();
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  await created(shop.order(body));
});

it('an order by wallet needs the object browser_wallet and no other', async () => {
  const { payment, ...order } = await walletOrderBody(shop);
  const { browser_wallet, ...bare } = payment;
  assertRefused(await shop.order({ ...order, payment: bare }), 'payment.browser_wallet');
  assertRefused(await shop.order({ ...order, payment: { ...payment, pix: {} } }), 'payment.pix');
  const installments = { ...payment, installments: 2 };
  assertRefused(await shop.order({ ...order, payment: installments }), 'payment.installments');
});
