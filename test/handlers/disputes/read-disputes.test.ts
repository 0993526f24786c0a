import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { simulate } from '../../support/payments/simulate-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const open = () => Shop.open(service);

async function disputed(shop: Shop, reason: string | null = null): Promise<Json> {
  const { id } = await shop.cardPayment({ amount: 10_000 });
  await shop.simulate(id, 'chargeback_requested', reason);
  return (await disputesOf(shop, id))[0];
}

async function disputesOf(shop: Shop, paymentId: string): Promise<Json[]> {
  return (await shop.get(`/disputes?payment_id=${paymentId}`)).data;
}

describe('200 of getDispute', () => {
  test('shows a dispute that was just opened, as the list does', async () => {
    const shop = await open();
    const { id: paymentId } = await shop.cardPayment({ amount: 10_000 });
    await shop.simulate(paymentId, 'chargeback_requested', 'duplicate');
    const [listed] = await disputesOf(shop, paymentId);
    const dispute = await shop.get(`/disputes/${listed.id.toUpperCase()}`);
    const { id, evidence_due_at, created_at, ...rest } = dispute;
    assert.deepEqual(rest, {
      payment_id: paymentId,
      status: 'requested',
      amount: 10_000,
      reason: 'duplicate',
      evidence: [],
      updated_at: created_at,
      decided_at: null,
    });
    assert.match(id, /^[0-9a-f-]{36}$/);
    const days = (Date.parse(evidence_due_at) - Date.parse(created_at)) / 86_400_000;
    assert.ok(days > 7 && days <= 8, `${days} days`);
    assert.deepEqual(listed, dispute);
  });

  test('the amount is what was captured and not refunded', async () => {
    const shop = await open();
    const { id } = await shop.authorized();
    await shop.capture(id, 8_000);
    await shop.refund(id, 1_500);
    await shop.simulate(id, 'chargeback_requested');
    assert.equal((await disputesOf(shop, id))[0].amount, 6_500);
  });

  test('follows its payment to the end', async () => {
    const shop = await open();
    for (const end of ['won', 'lost'] as const) {
      const { id, payment_id } = await disputed(shop);
      await shop.simulate(payment_id, 'chargeback_dispute');
      const examined = await shop.get(`/disputes/${id}`);
      assert.deepEqual([examined.status, examined.decided_at], ['dispute', null]);
      await shop.simulate(payment_id, `chargeback_${end}`);
      const decided = await shop.get(`/disputes/${id}`);
      assert.deepEqual([decided.status, decided.amount], [end, 10_000]);
      assert.equal(decided.decided_at, decided.updated_at);
    }
  });

  test('the deadline and the reason are those that the acquirer names', async () => {
    const shop = await open();
    const { id } = await shop.cardPayment({ amount: 10_000 });
    const due = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const opened = notification(shop.account, await shop.reference(id), 'chargeback.requested', {
      amount_centavos: 10_000,
      dispute: { reason: 'product_unacceptable', evidence_due_at: due },
    });
    assert.equal(await deliver(service, opened), 204);
    const [dispute] = await disputesOf(shop, id);
    assert.equal(dispute.reason, 'product_unacceptable');
    assert.equal(Date.parse(dispute.evidence_due_at), Date.parse(due));
  });

  test('an acquirer that names neither opens a general dispute of seven days', async () => {
    const shop = await open();
    for (const dispute of [undefined, null, {}, { reason: 'x', evidence_due_at: 'soon' }]) {
      const { id } = await shop.cardPayment({ amount: 10_000 });
      const opened = notification(shop.account, await shop.reference(id), 'chargeback.requested', {
        amount_centavos: 10_000,
        ...(dispute === undefined ? {} : { dispute }),
      });
      assert.equal(await deliver(service, opened), 204);
      const [{ reason, evidence_due_at }] = await disputesOf(shop, id);
      assert.equal(reason, 'general');
      assert.ok(Date.parse(evidence_due_at) > Date.now() + 7 * 86_400_000);
    }
  });
});

describe('200 of listDisputes', () => {
  test('newest first, page by page, by status, payment and day', async () => {
    const shop = await open();
    const made = [await disputed(shop), await disputed(shop), await disputed(shop)];
    await shop.simulate(made[0].payment_id, 'chargeback_lost');
    const ids = (page: Json) => page.data.map(({ id }: Json) => id);
    assert.deepEqual(ids(await shop.get('/disputes')), made.map(({ id }) => id).reverse());
    const first = await shop.get('/disputes?per_page=2');
    const { next_cursor } = first.pagination;
    assert.deepEqual(ids(await shop.get(`/disputes?per_page=2&cursor=${next_cursor}`)), [made[0].id]);
    assert.deepEqual(ids(await shop.get('/disputes?status=lost')), [made[0].id]);
    assert.deepEqual(ids(await shop.get('/disputes?status=requested')), [made[2].id, made[1].id]);
    assert.deepEqual(ids(await shop.get(`/disputes?payment_id=${made[1].payment_id}`)), [made[1].id]);
    assert.deepEqual(ids(await shop.get('/disputes?created_to=2020-01-01')), []);
  });
});

describe('refusals', () => {
  test('404 for an unknown dispute, and for a text that is no id', async () => {
    const shop = await open();
    for (const id of [UNKNOWN_ID, 'x']) {
      const { status, body } = await shop.call('GET', `/disputes/${id}`);
      assert.deepEqual([status, body], [404, { message: 'Dispute not found.' }]);
    }
  });

  test('422 for a filter that is not known', async () => {
    const answer = await (await open()).call('GET', '/disputes?status=open&created_from=x&per_page=0');
    assertRefused(answer, 'created_from', 'per_page', 'status');
  });
});

describe('simulatePayment', () => {
  test('takes a reason of a dispute for chargeback_requested, and refusal codes for refused only', async () => {
    const shop = await open();
    const { id } = await shop.cardPayment();
    assertRefused(await simulate(shop, id, { outcome: 'chargeback_requested', reason: 'fraud' }), 'reason');
    assertRefused(await simulate(shop, id, { outcome: 'refused', reason: 'duplicate' }), 'reason');
    assertRefused(await simulate(shop, id, { outcome: 'chargeback_won', reason: 'duplicate' }), 'reason');
    assert.equal(
      (await simulate(shop, id, { outcome: 'chargeback_requested', reason: 'general' })).status,
      200,
    );
    assert.equal((await disputesOf(shop, id))[0].reason, 'general');
  });

  test('a dispute without a reason is fraudulent', async () => {
    assert.equal((await disputed(await open())).reason, 'fraudulent');
  });
});
