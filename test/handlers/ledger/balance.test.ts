import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { companyBody } from '../../support/orders/parties.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../../support/wallet/wallet-shop.ts';

const service = await sharedService({ jobs: false });

const balanceOf = async (shop: Shop, path = '/balance') => {
  const { available, pending, currency } = await shop.get(path);
  assert.equal(currency, 'BRL');
  return [available, pending];
};
const advance = async (shop: Shop, days: number) => {
  const { status, text } = await shop.post('/sandbox/clock/advance', { days });
  assert.equal(status, 200, text);
};

async function moveTo(shop: Shop, to: string): Promise<void> {
  const { status, text } = await shop.post('/sandbox/clock/advance', { to });
  assert.equal(status, 200, text);
}

/** A captured payment of 100 reais. */
async function captureBy(method: 'debit_card' | 'bank_slip', shop: Shop): Promise<void> {
  if (method === 'bank_slip') {
    const { id } = await shop.bankSlipPayment(10_000);
    return shop.simulate(id, 'paid');
  }
  const { payment, ...order } = await shop.cardOrderBody({ amount: 10_000 });
  const debit = { amount: 10_000, payment_method: method, debit_card: payment.credit_card };
  await shop.placed({ ...order, payment: debit });
}

describe('200 of getBalance', () => {
  test('nothing before the first payment', async () => {
    assert.deepEqual(await balanceOf(await Shop.open(service)), [0, 0]);
  });

  test('a Pix is available at once, less its fee', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.pixPayment(5_000);
    assert.deepEqual(await balanceOf(shop), [0, 0], 'not paid yet');
    await shop.simulate(id, 'paid');
    assert.deepEqual(await balanceOf(shop), [4_950, 0]);
  });

  test('a card payment becomes available 30 days after each installment', async () => {
    const shop = await Shop.open(service);
    await shop.cardPayment({ amount: 10_000, installments: 2 });
    assert.deepEqual(await balanceOf(shop), [0, 9_562]);
    await advance(shop, 29);
    assert.deepEqual(await balanceOf(shop), [0, 9_562]);
    await advance(shop, 1);
    assert.deepEqual(await balanceOf(shop), [4_781, 4_781]);
    await advance(shop, 30);
    assert.deepEqual(await balanceOf(shop), [9_562, 0]);
  });

  for (const [method, fee] of [
    ['debit_card', 238],
    ['bank_slip', 349],
  ] as const) {
    test(`a payment by ${method} becomes available on the next business day`, async () => {
      const shop = await Shop.open(service);
      // A Friday evening in São Paulo: Monday is a bank holiday.
      await moveTo(shop, '2027-11-12T20:00:00-03:00');
      await captureBy(method, shop);
      const net = 10_000 - fee;
      assert.deepEqual(await balanceOf(shop), [0, net]);
      await moveTo(shop, '2027-11-15T23:59:59-03:00');
      assert.deepEqual(await balanceOf(shop), [0, net]);
      await moveTo(shop, '2027-11-16T00:00:00-03:00');
      assert.deepEqual(await balanceOf(shop), [net, 0]);
    });
  }

  test('a payment by wallet becomes available 30 days after its capture', async () => {
    const shop = await Shop.open(service);
    const domain = domainOf(shop);
    await verifiedDomain(shop, domain);
    await shop.placed(await walletOrderBody(shop, { domain }));
    for (const [days, balance] of [
      [0, [0, 9_562]],
      [29, [0, 9_562]],
      [1, [9_562, 0]],
      [1, [9_562, 0]],
    ] as const) {
      if (days > 0) await advance(shop, days);
      assert.deepEqual(await balanceOf(shop), balance);
    }
  });

  test('a refund takes from pending money while the money is pending, and the fee stays', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000 });
    await shop.refund(id, 4_000);
    assert.deepEqual(await balanceOf(shop), [0, 5_562]);
    await shop.refund(id);
    assert.deepEqual(await balanceOf(shop), [0, -438]);
    await advance(shop, 30);
    assert.deepEqual(await balanceOf(shop), [-438, 0]);
  });

  test('a dispute takes the money until it is won', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.pixPayment(5_000);
    await shop.simulate(id, 'paid');
    await shop.simulate(id, 'chargeback_requested');
    assert.deepEqual(await balanceOf(shop), [-50, 0]);
    await shop.simulate(id, 'chargeback_won');
    assert.deepEqual(await balanceOf(shop), [4_950, 0]);
  });

  test('payments of another merchant do not count', async () => {
    const [shop, other] = [await Shop.open(service), await Shop.open(service)];
    await other.cardPayment();
    assert.deepEqual(await balanceOf(shop), [0, 0]);
  });
});

describe('getRecipientBalance', () => {
  test('200 by number, UUID in either case, and hash', async () => {
    const shop = await Shop.open(service);
    const { id, hash, number } = await created(shop.post('/recipients', companyBody()));
    for (const name of [number, id, id.toUpperCase(), hash]) {
      assert.deepEqual(await balanceOf(shop, `/recipients/${name}/balance`), [0, 0]);
    }
  });

  test('404 for what names no recipient of the merchant', async () => {
    const [shop, other] = [await Shop.open(service), await Shop.open(service)];
    const { id } = await created(other.post('/recipients', companyBody()));
    for (const name of [id, '1', '0', '99999999999999999999', UNKNOWN_ID, 'x', '%00']) {
      const { status, body } = await shop.call('GET', `/recipients/${name}/balance`);
      assert.deepEqual([status, body], [404, { message: 'Recipient not found.' }], name);
    }
  });
});
