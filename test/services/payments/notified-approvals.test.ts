import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Acquirer } from '../../../gateway/acquirer.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

const statusOf = async (id: string) => (await shop.payment(id)).status;

describe('a notified approval is compared with an inquiry', () => {
  const approved = async (id: string) =>
    deliver(
      service,
      notification(shop.account, await shop.reference(id), 'authorization.approved', {
        amount_centavos: 10_000,
      }),
    );
  const answering = (inquire: Acquirer['inquire']) => service.intercept(() => ({ inquire }));
  const subject = { operation: 'authorize', method: 'credit_card', amount_centavos: 10_000 } as const;

  for (const [code, number, capture, reasons] of [
    ['do_not_honor', '4000000000000002', true, ['approved_after_refusal']],
    // Suspected after it was approved: both are true, and the later one counts.
    ['fraud', '4100000000000019', false, []],
    // Not of an approval that took the money at once.
    ['fraud', '4100000000000019', true, ['approved_after_refusal']],
  ] as const) {
    test(`that returns a refusal: ${code}, ${capture ? 'captured at once' : 'authorized only'}`, async () => {
      const { id } = await withLostAnswers(service, () => shop.cardPayment({ number, capture }));
      assert.equal(await approved(id), 204);
      const payment = await shop.payment(id);
      assert.deepEqual([payment.status, payment.refusal?.code], ['refused', code]);
      const found = await discrepanciesOf(service, shop.account);
      assert.deepEqual(
        found.map(({ source, reason }) => [source, reason]),
        reasons.map((reason) => ['notification', reason]),
      );
    });
  }

  test('that returns another amount: neither is applied', async () => {
    const { id } = await withLostAnswers(service, () => shop.cardPayment());
    const spy = answering(async () => ({
      ...subject,
      kind: 'approved',
      acquirerReference: 'a',
      amount_centavos: 1,
    }));
    assert.equal(await approved(id), 204);
    spy.undo();
    assert.equal(await statusOf(id), 'processing');
    const found = await discrepanciesOf(service, shop.account);
    assert.deepEqual(
      found.map(({ source, reason }) => [source, reason]),
      [['inquiry', 'amount_mismatch']],
    );
    await reconcile(service);
    assert.equal(await statusOf(id), 'paid');
  });

  test('that does not find it: it is refused, and is a discrepancy once the reference is closed', async () => {
    const lost = service.intercept(() => ({ authorize: async () => ({ kind: 'unknown', cause: 'x' }) }));
    const { id } = await shop.cardPayment();
    lost.undo();
    assert.equal(await approved(id), 409);
    assert.equal(await statusOf(id), 'processing');
    await reconcile(service);
    assert.equal(await approved(id), 204);
    assert.equal(await statusOf(id), 'refused');
    const [found] = await discrepanciesOf(service, shop.account);
    assert.equal(found?.reason, 'approved_after_refusal');
  });

  for (const kind of ['unknown', 'pending'] as const) {
    test(`that fails (${kind}): the notification is applied`, async () => {
      const { id } = await withLostAnswers(service, () => shop.cardPayment());
      const pending = { ...subject, kind: 'pending', acquirerReference: 'a' } as const;
      const spy = answering(async () => (kind === 'pending' ? pending : { kind, cause: 'time_out' }));
      assert.equal(await approved(id), 204);
      spy.undo();
      assert.equal(await statusOf(id), 'paid');
    });
  }
});
