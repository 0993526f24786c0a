/** The fee of the platform, by plan and by method (contract row 13.8). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { assertLedgerAgrees } from '../../support/ledger/ledger-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../../support/wallet/wallet-shop.ts';

const service = await sharedService({ jobs: false });

const AMOUNT = 10_000;

/** How a captured payment of 100 reais is made by each method. */
const CAPTURED: Readonly<Record<string, (shop: Shop) => Promise<Json>>> = {
  credit_card: (shop) => shop.cardPayment({ amount: AMOUNT }),
  async debit_card(shop) {
    const { payment, ...order } = await shop.cardOrderBody({ amount: AMOUNT });
    const debit = { amount: AMOUNT, payment_method: 'debit_card', debit_card: payment.credit_card };
    return (await shop.placed({ ...order, payment: debit })).payment;
  },
  async browser_wallet(shop) {
    const domain = domainOf(shop);
    await verifiedDomain(shop, domain);
    return (await shop.placed(await walletOrderBody(shop, { amount: AMOUNT, domain }))).payment;
  },
  pix: async (shop) => paid(shop, await shop.pixPayment(AMOUNT)),
  bank_slip: async (shop) => paid(shop, await shop.bankSlipPayment(AMOUNT)),
};

async function paid(shop: Shop, { id }: Json): Promise<Json> {
  await shop.simulate(id, 'paid');
  return shop.payment(id);
}

const feesInLedger = async (shop: Shop, { id }: Json) =>
  (await shop.get(`/ledger-entries?payment_id=${id}&account=platform_fees`)).data.map(
    ({ direction, amount }: Json) => [direction, amount],
  );

const FEES = {
  standard: { credit_card: 438, debit_card: 238, browser_wallet: 438, pix: 99, bank_slip: 349 },
  essential: { credit_card: 488, debit_card: 288, browser_wallet: 488, pix: 119, bank_slip: 399 },
} as const;

describe('the fee of a captured payment', () => {
  for (const plan of ['standard', 'essential'] as const) {
    for (const [method, fee] of Object.entries(FEES[plan])) {
      test(`by ${method} on the plan ${plan} is ${fee} centavos of ${AMOUNT}`, async () => {
        const shop = await Shop.open(service, { plan });
        const payment = await CAPTURED[method]!(shop);
        assert.deepEqual([payment.captured_amount, payment.fee_amount], [AMOUNT, fee]);
        assert.deepEqual(await feesInLedger(shop, payment), [['credit', fee]]);
        const { available, pending } = await shop.get('/balance');
        assert.equal(available + pending, AMOUNT - fee);
      });
    }
  }

  test('is fixed at the capture, and stays when the plan changes', async () => {
    const shop = await Shop.open(service, { plan: 'standard' });
    const authorized = await shop.authorized();
    const captured = await shop.cardPayment({ amount: AMOUNT });
    assert.deepEqual([authorized.fee_amount, captured.fee_amount], [null, 438]);
    await changeMerchant(service.deps, shop.account, { plan: 'essential' });
    assert.equal((await shop.payment(captured.id)).fee_amount, 438);
    await shop.capture(authorized.id);
    assert.equal((await shop.payment(authorized.id)).fee_amount, 488);
    await shop.refund(captured.id);
    assert.equal((await shop.payment(captured.id)).fee_amount, 438);
    assert.deepEqual(await feesInLedger(shop, captured), [['credit', 438]]);
    await assertLedgerAgrees(service, shop.account);
  });
});
