/** The ledger entries of payments that move one after another and at once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertLedgerAgrees, transfersOfMerchant } from '../../support/ledger/ledger-records.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

/** Kind, debit, credit and centavos of each transfer. */
async function listed(shop: Shop): Promise<string[]> {
  const transfers = await transfersOfMerchant(service, shop.account);
  return transfers.map(({ kind, debit, credit, amount_centavos }) =>
    [kind, debit, credit, amount_centavos].join(' '),
  );
}

describe('the transfers of a payment', () => {
  test('a capture gives the merchant the amount and takes the fee', async () => {
    const shop = await Shop.open(service);
    await shop.cardPayment({ amount: 10_000 });
    assert.deepEqual(await listed(shop), [
      'capture acquirer_receivable merchant 10000',
      'fee merchant platform_fees 438',
    ]);
    await assertLedgerAgrees(service, shop.account);
  });

  test('nothing is posted for an authorization, its cancellation, or a refused card', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.authorized();
    await shop.cancel(id);
    await shop.cardPayment({ number: '4000000000000002' });
    assert.deepEqual(await listed(shop), []);
  });

  test('a capture of a part posts that part, and a refund takes it back without the fee', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.authorized();
    await shop.capture(id, 4_000);
    await shop.refund(id, 1_500);
    assert.deepEqual(await listed(shop), [
      'capture acquirer_receivable merchant 4000',
      'fee merchant platform_fees 199',
      'refund merchant acquirer_receivable 1500',
    ]);
  });

  test('a dispute holds the money back until it is won', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000 });
    await shop.simulate(id, 'chargeback_requested');
    await shop.simulate(id, 'chargeback_won');
    assert.deepEqual((await listed(shop)).slice(2), [
      'dispute merchant disputes 10000',
      'dispute disputes merchant 10000',
    ]);
  });

  test('a dispute that is lost gives it to the acquirer', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000 });
    await shop.simulate(id, 'chargeback_requested');
    await shop.simulate(id, 'chargeback_lost');
    assert.deepEqual((await listed(shop)).slice(2), [
      'dispute merchant disputes 10000',
      'chargeback disputes acquirer_receivable 10000',
    ]);
  });

  test('a paid Pix is available on its day, each installment of a card 30 days after the one before', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.pixPayment(1_000);
    await shop.simulate(id, 'paid');
    await shop.cardPayment({ amount: 1_000, installments: 3 });
    const days = (await transfersOfMerchant(service, shop.account))
      .filter(({ kind }) => kind === 'capture')
      .map(({ availableOn, amount_centavos }) => [Date.parse(availableOn) / 86_400_000, amount_centavos]);
    const [[today]] = days as [[number, number]];
    assert.deepEqual(days, [
      [today, 1_000],
      [today + 30, 334],
      [today + 60, 333],
      [today + 90, 333],
    ]);
  });

  test('the entries of a refund have its reference, all others that of the payment', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment();
    await shop.refund(id, 100);
    const rows = await service.rows<{ kind: string; reference: string }>(
      'select kind, reference from ledger_transfers where payment_id = :id order by created_at, id',
      { id },
    );
    const [refund] = await service.rows<{ reference: string }>(
      'select reference from refunds where payment_id = :id',
      { id },
    );
    const reference = await shop.reference(id);
    assert.deepEqual(rows, [
      { kind: 'capture', reference },
      { kind: 'fee', reference },
      { kind: 'refund', reference: refund!.reference },
    ]);
  });
});

describe('at once', () => {
  test('50 refunds of one payment take what was captured and no more', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 1_000, installments: 3 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.refund(id, 70)));
    assert.deepEqual(
      [201, 422].map((status) => answers.filter((answer) => answer.status === status).length),
      [14, 36],
    );
    assert.equal((await shop.payment(id)).refunded_amount, 980);
    await assertLedgerAgrees(service, shop.account);
  });

  test('payments and refunds of one merchant do not deadlock', async () => {
    const shop = await Shop.open(service);
    const body = await shop.cardOrderBody({ installments: 12 });
    const paid = await Promise.all(
      Array.from({ length: 30 }, (_, i) => shop.placed({ ...body, code: `order-${i}` })),
    );
    await Promise.all(paid.flatMap(({ payment: { id } }) => [shop.refund(id, 1_000), shop.refund(id, 50)]));
    await assertLedgerAgrees(service, shop.account);
    assert.deepEqual(await deadlocks(), 0);
  });
});

async function deadlocks(): Promise<number> {
  const [row] = await service.rows<{ n: number }>(
    'select deadlocks as n from pg_stat_database where datname = current_database()',
  );
  return row!.n;
}
