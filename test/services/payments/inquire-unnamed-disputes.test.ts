/** Inquiries about disputes without ids: a change is applied only if it is clear to which dispute it belongs. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { InquiryOutcome } from '../../../gateway/acquirer.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { answering, compareToday, simulateSilently } from '../../support/payments/settlement-inquiries.ts';
import { inquireDifferences } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let payment: Json;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  payment = await shop.cardPayment({ amount: 10_000 });
});

/** The answer of an acquirer whose disputes have no ids. */
function withoutIds(real: InquiryOutcome): InquiryOutcome {
  if (real.kind !== 'approved' || real.disputes === undefined) return real;
  const disputes = real.disputes.map((one) => ({
    ...one,
    dispute: { ...one.dispute, reference: null, previousReference: null },
  }));
  return { ...real, disputes };
}

const forgetIds = () =>
  service.rows('update disputes set acquirer_reference = null where merchant_id = :account', {
    account: shop.account,
  });

const inquire = (change = withoutIds) => answering(service, change, () => inquireDifferences(service.deps));

/** A line that is in the file once too often, so that the acquirer is asked about the payment. */
async function wrongLine() {
  const reference = await shop.reference(payment.id);
  return { reference, type: 'dispute', amount_centavos: 1, occurredAt: new Date() } as const;
}

const disputes = async () =>
  (await shop.get(`/disputes?payment_id=${payment.id}`)).data.map(({ status }: Json) => status).reverse();
const status = async () => (await shop.payment(payment.id)).status;
const openReasons = async () =>
  (await discrepanciesOf(service, shop.account))
    .filter((one) => one.status === 'open')
    .map(({ reason }) => reason);

describe('nothing changes', () => {
  test('if the end of an earlier dispute is in the answer, and a later one is open', async () => {
    for (const outcome of ['requested', 'dispute', 'won', 'requested'] as const) {
      await shop.simulate(payment.id, `chargeback_${outcome}`);
    }
    await forgetIds();
    await compareToday(shop, [await wrongLine()]);
    assert.equal((await inquire()).length, 1);
    assert.equal(await status(), 'chargeback_requested');
    assert.deepEqual(await disputes(), ['won', 'requested']);
    await shop.simulate(payment.id, 'chargeback_lost');
    assert.equal(await status(), 'chargeback_lost');
    assert.deepEqual(await openReasons(), ['settlement_doubled']);
  });

  test('the same if only the dispute on record has no id', async () => {
    for (const outcome of ['requested', 'won', 'requested'] as const) {
      await shop.simulate(payment.id, `chargeback_${outcome}`);
    }
    await service.rows(
      `update disputes set acquirer_reference = null where merchant_id = :account and status <> 'won'`,
      { account: shop.account },
    );
    await compareToday(shop, [await wrongLine()]);
    await inquire((real) => real);
    assert.equal(await status(), 'chargeback_requested');
    assert.deepEqual(await disputes(), ['won', 'requested']);
  });

  test('if two disputes are missing', async () => {
    await simulateSilently(
      shop,
      payment,
      'chargeback_requested',
      'chargeback_won',
      'chargeback_requested',
      'chargeback_lost',
    );
    await compareToday(shop);
    assert.ok((await inquire()).length > 0);
    assert.equal(await status(), 'paid');
    assert.deepEqual(await disputes(), []);
  });
});

describe('the last dispute', () => {
  test('is opened if it is the only one that is missing', async () => {
    await shop.simulate(payment.id, 'chargeback_requested');
    await shop.simulate(payment.id, 'chargeback_won');
    await forgetIds();
    await simulateSilently(shop, payment, 'chargeback_requested', 'chargeback_dispute');
    await compareToday(shop);
    await inquire();
    assert.equal(await status(), 'chargeback_dispute');
    assert.deepEqual(await disputes(), ['won', 'dispute']);
    assert.deepEqual(await openReasons(), []);
  });

  test('is ended if only its end is missing', async () => {
    for (const outcome of ['requested', 'won', 'requested', 'dispute'] as const) {
      await shop.simulate(payment.id, `chargeback_${outcome}`);
    }
    await forgetIds();
    await simulateSilently(shop, payment, 'chargeback_won');
    assert.deepEqual(await compareToday(shop), ['settlement_doubled dispute_reversed']);
    await inquire();
    assert.equal(await status(), 'paid');
    assert.deepEqual(await disputes(), ['won', 'won']);
    assert.deepEqual(await openReasons(), []);
  });

  test('is ended if it was opened here after its examination', async () => {
    await simulateSilently(shop, payment, 'chargeback_requested', 'chargeback_dispute');
    await compareToday(shop);
    await inquire();
    assert.equal(await status(), 'chargeback_dispute');
    await simulateSilently(shop, payment, 'chargeback_won');
    assert.deepEqual(await compareToday(shop), ['settlement_unknown dispute_reversed']);
    await inquire();
    assert.equal(await status(), 'paid');
    assert.deepEqual(await disputes(), ['won']);
    assert.deepEqual(await openReasons(), []);
  });
});
