/** Disputes of payments that have refunds in progress, shares of recipients, or more than one dispute. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertLedgerAgrees, transfersOfMerchant } from '../../support/ledger/ledger-records.ts';
import { companyBody } from '../../support/orders/parties.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { simulate } from '../../support/payments/simulate-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const REFUND_LATE = '4000000000007726';

async function disputesOf(shop: Shop, paymentId: string): Promise<Json[]> {
  return (await shop.get(`/disputes?payment_id=${paymentId}`)).data;
}

describe('a refund that completes', () => {
  for (const [when, end] of [
    ['during the dispute', null],
    ['after the dispute was lost', 'chargeback_lost'],
  ] as const) {
    test(`${when} reduces its amount`, async () => {
      const shop = await Shop.open(service);
      const { id } = await shop.cardPayment({ amount: 10_000, number: REFUND_LATE });
      await created(shop.refund(id, 4_000));
      // The acquirer counts the refund as done; we do not yet.
      await shop.simulate(id, 'chargeback_requested');
      assert.equal((await disputesOf(shop, id))[0].amount, 10_000);
      if (end !== null) await shop.simulate(id, end);
      await shop.acquirerWorks(2 * 86_400_000);
      const [dispute] = await disputesOf(shop, id);
      assert.deepEqual([dispute.amount, dispute.status], [6_000, end === null ? 'requested' : 'lost']);
      await assertLedgerAgrees(service, shop.account);
    });
  }
});

describe('a payment that won its dispute', () => {
  test('can be disputed again, and has two disputes', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000 });
    const outcomes = ['chargeback_requested', 'chargeback_won', 'chargeback_requested'] as const;
    for (const outcome of outcomes) await shop.simulate(id, outcome);
    const [second, first] = await disputesOf(shop, id);
    assert.deepEqual([first!.status, second!.status, second!.amount], ['won', 'requested', 10_000]);
    assert.equal((await shop.payment(id)).status, 'chargeback_requested');
    const evidence = { text: 'Entregue em 24/12, com assinatura.' };
    assertRefused(await shop.post(`/disputes/${first!.id}/evidence`, evidence), 'status');
    assert.equal((await shop.post(`/disputes/${second!.id}/evidence`, evidence)).status, 200);
    await shop.simulate(id, 'chargeback_lost');
    assert.deepEqual(
      (await disputesOf(shop, id)).map(({ status }) => status),
      ['lost', 'won'],
    );
    assert.equal((await shop.payment(id)).status, 'chargeback_lost');
    const moved = (await transfersOfMerchant(service, shop.account)).filter(({ kind }) =>
      kind.startsWith('dispute'),
    );
    assert.deepEqual(
      moved.map(({ amount_centavos }) => amount_centavos),
      [10_000, 10_000, 10_000],
    );
    await assertLedgerAgrees(service, shop.account);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('cannot be disputed again if it was lost', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000 });
    for (const outcome of ['chargeback_requested', 'chargeback_lost'] as const)
      await shop.simulate(id, outcome);
    assertRefused(await simulate(shop, id, { outcome: 'chargeback_requested' }), 'status');
    assert.equal((await disputesOf(shop, id)).length, 1);
  });
});

describe('a payment that is shared', () => {
  test('takes the disputed amount from the liable recipients, and gives it back when it is won', async () => {
    const shop = await Shop.open(service);
    const recipient = async () => (await created(shop.post('/recipients', companyBody()))).id as string;
    const [liable, other] = [await recipient(), await recipient()];
    const body = await shop.cardOrderBody({ amount: 10_000 });
    const split = [
      { recipient_id: liable, type: 'percentage', amount: 60, is_liable: true },
      { recipient_id: other, type: 'percentage', amount: 30, is_liable: false },
    ];
    const { payment } = await shop.placed({ ...body, payment: { ...body.payment, split } });
    await shop.simulate(payment.id, 'chargeback_requested');
    const held = (await transfersOfMerchant(service, shop.account)).filter(({ kind }) => kind === 'dispute');
    assert.deepEqual(
      held.map(({ debit, credit, amount_centavos }) => [debit, credit, amount_centavos]),
      [[`recipient:${liable}`, 'disputes', 10_000]],
    );
    const { available, pending } = await shop.get(`/recipients/${liable}/balance`);
    assert.equal(available + pending, 6_000 - 10_000, 'the balance of a liable recipient can be negative');
    await shop.simulate(payment.id, 'chargeback_won');
    const after = await shop.get(`/recipients/${liable}/balance`);
    assert.equal(after.available + after.pending, 6_000);
  });
});

test('a payment whose dispute has no row gets one with its next move', async () => {
  const shop = await Shop.open(service);
  const { id } = await shop.cardPayment({ amount: 10_000 });
  await shop.simulate(id, 'chargeback_requested');
  await service.rows('delete from disputes where merchant_id = :account', { account: shop.account });
  await shop.simulate(id, 'chargeback_lost');
  const [dispute] = await disputesOf(shop, id);
  assert.deepEqual([dispute.status, dispute.amount, dispute.reason], ['lost', 10_000, 'general']);
});
