/** Payments that were captured before there was a ledger. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertLedgerAgrees, transfersOfMerchant } from '../../support/ledger/ledger-records.ts';
import { withoutLedger } from '../../support/ledger/without-ledger.ts';
import { companyBody } from '../../support/orders/parties.ts';
import { postMissingEntries } from '../../support/run-jobs.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

/** One payment in each state that a captured payment can have. */
async function oldPayments(shop: Shop): Promise<void> {
  const pay = async (amount: number) => (await shop.cardPayment({ amount, installments: 3 })).id as string;
  await pay(10_000);
  await created(shop.refund(await pay(9_000), 2_500));
  await created(shop.refund(await pay(8_000)));
  for (const end of [null, 'chargeback_won', 'chargeback_lost'] as const) {
    const id = await pay(7_000);
    await shop.simulate(id, 'chargeback_requested');
    if (end !== null) await shop.simulate(id, end);
  }
  const late = await shop.cardPayment({ amount: 6_000, number: '4000000000007726' });
  await created(shop.refund(late.id, 1_000));
  const pix = await shop.pixPayment(5_000);
  await shop.simulate(pix.id, 'paid');
}

const kinds = async (shop: Shop) =>
  (await transfersOfMerchant(service, shop.account)).map(({ kind }) => kind);

describe('the job', () => {
  test('posts entries for the amounts of each payment, without a fee, and emits no event', async () => {
    const shop = await Shop.open(service);
    await oldPayments(shop);
    await shop.authorized();
    await shop.pixPayment();
    await withoutLedger(shop);
    const before = await shop.get('/payments?per_page=100');
    const events = await shop.get('/events?per_page=100');

    await postMissingEntries(service.deps);

    await assertLedgerAgrees(service, shop.account);
    assert.deepEqual(new Set(await kinds(shop)), new Set(['capture', 'refund', 'dispute', 'chargeback']));
    const after = await shop.get('/payments?per_page=100');
    const withoutFee = (page: { data: object[] }) => page.data.map((each) => ({ ...each, fee_amount: 0 }));
    assert.deepEqual(withoutFee(after), withoutFee(before));
    assert.deepEqual(await shop.get('/events?per_page=100'), events);
    const left = await service.rows(
      'select id from payments where merchant_id = :account and captured_centavos > 0 and captured_on is null',
      { account: shop.account },
    );
    assert.deepEqual(left, []);
  });

  test('posts each payment once, also when it runs again or twice at once', async () => {
    const shop = await Shop.open(service);
    const paid = await Promise.all(Array.from({ length: 45 }, () => shop.pixPayment(1_000)));
    for (const { id } of paid) await shop.simulate(id, 'paid');
    await withoutLedger(shop);
    await Promise.all([postMissingEntries(service.deps), postMissingEntries(service.deps)]);
    await postMissingEntries(service.deps);
    assert.deepEqual(
      await kinds(shop),
      paid.map(() => 'capture'),
    );
    await assertLedgerAgrees(service, shop.account);
  });

  test('posts the shares of a payment that is shared', async () => {
    const shop = await Shop.open(service);
    const { id } = await created(shop.post('/recipients', companyBody()));
    const body = await shop.cardOrderBody({ amount: 10_000 });
    const split = [{ recipient_id: id, type: 'percentage', amount: 33 }];
    await shop.placed({ ...body, payment: { ...body.payment, split } });
    await withoutLedger(shop);
    await postMissingEntries(service.deps);
    assert.equal((await shop.get(`/recipients/${id}/balance`)).pending, 3_300);
    await assertLedgerAgrees(service, shop.account);
  });
});

describe('a payment that moves before the job', () => {
  test('gets its entries with the move, and no more by the job', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000 });
    await withoutLedger(shop);
    await created(shop.refund(id, 4_000));
    assert.deepEqual(await kinds(shop), ['capture', 'refund']);
    await assertLedgerAgrees(service, shop.account);
    await postMissingEntries(service.deps);
    assert.deepEqual(await kinds(shop), ['capture', 'refund']);
  });
});
