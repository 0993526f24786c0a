/** Orders whose payment is shared among recipients. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { assertLedgerAgrees, transfersOfMerchant } from '../../support/ledger/ledger-records.ts';
import { companyBody } from '../../support/orders/parties.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
let ana: Json;
let bia: Json;
let cia: Json;
before(async () => {
  [ana, bia, cia] = [await recipient(), await recipient(), await recipient()];
});

function recipient(fields: object = {}, of: Shop = shop): Promise<Json> {
  return created(of.post('/recipients', { ...companyBody(fields) }));
}

const FLAGS = {
  allow_charge_processing_fee: false,
  allow_charge_remainder_fee: false,
  is_liable: false,
};

async function splitBody(split: object[], amount = 10_000, capture = true) {
  const body = await shop.cardOrderBody({ amount, capture });
  return { ...body, payment: { ...body.payment, split } };
}

const pay = async (split: object[], amount?: number, capture?: boolean): Promise<Json> =>
  (await shop.placed(await splitBody(split, amount, capture))).payment;

const pendingOf = async ({ number }: Json) => (await shop.get(`/recipients/${number}/balance`)).pending;

describe('201 of createOrder', () => {
  test('the payment shows each share and what is left, before and after the capture', async () => {
    const split = [
      { recipient_id: ana.number, type: 'fixed', amount: 1_500 },
      { recipient_id: bia.id.toUpperCase(), type: 'percentage', amount: 33, is_liable: true },
      { recipient_id: cia.hash, type: 'percentage', amount: 10, allow_charge_processing_fee: true },
    ];
    const { id, ...payment } = await pay(split, 9_999, false);
    const shares = [1_500, 3_299, 999];
    const shown = (fees: (number | null)[]) =>
      split.map((line, i) => ({ ...FLAGS, ...line, share_amount: shares[i], fee_amount: fees[i] }));
    assert.deepEqual(payment.split, shown([null, null, null]));
    assert.deepEqual([payment.merchant_amount, payment.fee_amount], [4_201, null]);

    await shop.capture(id);
    const captured = await shop.payment(id);
    assert.deepEqual(captured.split, shown([0, 0, 438]));
    assert.deepEqual([captured.merchant_amount, captured.fee_amount], [4_201, 438]);
    await assertLedgerAgrees(service, shop.account);
  });

  test('the centavos that rounding leaves over go to the first line that takes them', async () => {
    const thirds = [ana, bia, cia].map(({ number }, i) => ({
      recipient_id: number,
      type: 'percentage',
      amount: [33, 33, 34][i],
      allow_charge_remainder_fee: i > 0,
    }));
    const payment = await pay(thirds, 101);
    assert.deepEqual(
      payment.split.map(({ share_amount }: Json) => share_amount),
      [33, 34, 34],
    );
    assert.equal(payment.merchant_amount, 0);
  });

  test('without a split all is left to the merchant', async () => {
    const { split, merchant_amount, fee_amount } = await shop.cardPayment({ amount: 10_000 });
    assert.deepEqual([split, merchant_amount, fee_amount], [[], 10_000, 438]);
  });

  test('a refund takes from each party in proportion, and all refunds take all shares', async () => {
    const [one, two] = [await recipient(), await recipient()];
    const { id } = await pay([
      { recipient_id: one.number, type: 'percentage', amount: 50 },
      { recipient_id: two.number, type: 'fixed', amount: 1_001 },
    ]);
    assert.deepEqual([await pendingOf(one), await pendingOf(two)], [5_000, 1_001]);
    await shop.refund(id, 5_000);
    assert.deepEqual([await pendingOf(one), await pendingOf(two)], [2_500, 501]);
    for (const part of [1, 333, 1_666]) await shop.refund(id, part);
    await shop.refund(id);
    assert.deepEqual([await pendingOf(one), await pendingOf(two)], [0, 0]);
    await assertLedgerAgrees(service, shop.account);
  });

  test('a dispute is borne by the liable recipients', async () => {
    const [one, two] = [await recipient(), await recipient()];
    const { id } = await pay([
      { recipient_id: one.number, type: 'fixed', amount: 3_000, is_liable: true },
      { recipient_id: two.number, type: 'fixed', amount: 3_000 },
    ]);
    await shop.simulate(id, 'chargeback_requested');
    assert.deepEqual([await pendingOf(one), await pendingOf(two)], [-7_000, 3_000]);
    await shop.simulate(id, 'chargeback_won');
    assert.deepEqual([await pendingOf(one), await pendingOf(two)], [3_000, 3_000]);
    const entries = await shop.get(`/ledger-entries?recipient_id=${one.hash}`);
    assert.deepEqual(
      entries.data.map(({ kind, direction, amount, recipient_id }: Json) =>
        [kind, direction, amount, recipient_id === one.id].join(' '),
      ),
      ['dispute credit 10000 true', 'dispute debit 10000 true', 'capture credit 3000 true'],
    );
  });

  test('a Pix is shared when it is paid', async () => {
    const one = await recipient();
    const body = shop.pixOrderBody(5_000);
    const split = [{ recipient_id: one.number, type: 'percentage', amount: 20 }];
    const { payment } = await shop.placed({ ...body, payment: { ...body.payment, split } });
    await shop.simulate(payment.id, 'paid');
    const { available } = await shop.get(`/recipients/${one.id}/balance`);
    assert.equal(available, 1_000);
  });
});

describe('a capture of a part', () => {
  test('is shared again', async () => {
    const split = [{ recipient_id: ana.number, type: 'percentage', amount: 50 }];
    const { id } = await pay(split, 10_000, false);
    await shop.capture(id, 3_001);
    const payment = await shop.payment(id);
    assert.deepEqual([payment.split[0].share_amount, payment.merchant_amount], [1_500, 1_501]);
  });

  test('422 on amount when the shares are more', async () => {
    const { id } = await pay([{ recipient_id: ana.number, type: 'fixed', amount: 5_000 }], 10_000, false);
    assertRefused(await shop.capture(id, 4_999), 'amount');
    assert.equal((await shop.capture(id, 5_000)).status, 200);
    assert.deepEqual((await shop.payment(id)).merchant_amount, 0);
  });
});

describe('422 of createOrder', () => {
  const line = (fields: object = {}) => ({ recipient_id: ana.number, type: 'fixed', amount: 100, ...fields });
  const refused = async (split: object[], ...paths: string[]) =>
    assertRefused(await shop.order(await splitBody(split)), ...paths);

  test('shares that are more than the amount', async () => {
    await refused([line({ amount: 10_001 })], 'payment.split');
    await refused(
      [
        line({ type: 'percentage', amount: 60 }),
        line({ recipient_id: bia.id, type: 'percentage', amount: 41 }),
      ],
      'payment.split',
    );
  });

  test('a recipient who is unknown, not approved or named twice, all at once', async () => {
    const pending = await recipient({ status: 'pending' });
    await refused(
      [
        line(),
        line({ recipient_id: UNKNOWN_ID }),
        line({ recipient_id: pending.number }),
        line({ recipient_id: ana.hash }),
        line({ recipient_id: 'ninguém' }),
      ],
      'payment.split.1.recipient_id',
      'payment.split.2.recipient_id',
      'payment.split.3.recipient_id',
      'payment.split.4.recipient_id',
    );
  });

  test('a recipient of another merchant', async () => {
    const theirs = await recipient({}, await Shop.open(service));
    await refused([line({ recipient_id: theirs.id })], 'payment.split.0.recipient_id');
  });

  test('recipients together with other rules that need stored data', async () => {
    const body = await splitBody([line({ recipient_id: 999 })]);
    await shop.placed({ ...shop.pixOrderBody(), code: body.code });
    assertRefused(await shop.order(body), 'code', 'payment.split.0.recipient_id');
  });

  test('what the schema shows', async () => {
    const lines = Array.from({ length: 21 }, () => line());
    await refused(lines, 'payment.split');
    await refused([line({ type: 'percentage', amount: 101 })], 'payment.split.0.amount');
    await refused([line({ amount: 0 })], 'payment.split.0.amount');
    await refused([line({ type: 'half' })], 'payment.split.0.type');
    await refused([line({ liable: true })], 'payment.split.0.liable');
  });

  test('a plan without splits', async () => {
    const essential = await Shop.open(service, { plan: 'essential' });
    const body = essential.pixOrderBody();
    const split = [{ recipient_id: 1, type: 'fixed', amount: 100 }];
    const answer = await essential.order({ ...body, payment: { ...body.payment, split } });
    assertRefused(answer, 'payment.split', 'payment.split.0.recipient_id');
    assert.deepEqual(await transfersOfMerchant(service, essential.account), []);
  });
});
