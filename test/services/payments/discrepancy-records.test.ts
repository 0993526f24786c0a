import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { wasNotified } from '../../../db/payments/acquirer-notifications.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import type { WireNotification } from '../../../gateway/wire.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop, statusesOf } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let pix: Json;
let reference: string;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  pix = await shop.pixPayment();
  reference = await shop.reference(pix.id);
});

const paid = (amount_centavos: number) =>
  notification(shop.account, reference, 'pix.paid', { amount_centavos, end_to_end_id: 'E1' });

async function counted(labels: string): Promise<number> {
  const text = await (await fetch(`${service.internalUrl}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`centavo_discrepancies_total{${labels}}`));
  return Number(line?.split(' ')[1] ?? 0);
}

describe('a discrepancy', () => {
  test('is stored, logged and counted once for repeated notifications', async () => {
    const labels = 'source="notification",reason="amount_mismatch"';
    const [before, logged] = [await counted(labels), service.log.length];
    const report = paid(4_999);
    const together = await Promise.all(Array.from({ length: 5 }, () => deliver(service, report)));
    assert.deepEqual(new Set(together), new Set([204]));
    assert.equal(await deliver(service, report), 204);
    const [found, ...others] = await discrepanciesOf(service, shop.account);
    assert.deepEqual(others, []);
    assert.equal((await counted(labels)) - before, 1);
    const errors = service.log.slice(logged).filter(({ level }) => level === 'error');
    assert.deepEqual(
      errors.map(({ message, fields }) => [message, fields.discrepancy_id, fields.merchant_id]),
      [['discrepancy found', found!.id, shop.account]],
    );
  });

  test('has both sides, and no card data', async () => {
    const { id } = await shop.cardPayment();
    const report = notification(shop.account, await shop.reference(id), 'authorization.refused', {
      method: 'credit_card',
      amount_centavos: 10_000,
      refusal: { code: '4242 4242 4242 4242', message: '4242424242424242', retryable: false },
    });
    await deliver(service, report);
    const [found] = await discrepanciesOf(service, shop.account);
    assert.deepEqual(found!.reported, {
      report: 'authorization.refused',
      method: 'credit_card',
      amount_centavos: 10_000,
      refusal_code: 'other',
      end_to_end_id: null,
      occurred_at: report.occurred_at,
      notification_id: report.id,
    });
    assert.deepEqual(found!.recorded, {
      payment_status: 'paid',
      method: 'credit_card',
      amount_centavos: 10_000,
      captured_centavos: 10_000,
      refunded_centavos: 0,
      operation: 'authorize',
      operation_state: 'approved',
      operation_amount_centavos: 10_000,
      operation_refusal_code: null,
      end_to_end_id: null,
      paid_at: null,
    });
    assert.ok(!JSON.stringify(service.log).includes('4242 4242 4242 4242'));
  });

  test('does not prevent the right report', async () => {
    assert.equal(await deliver(service, paid(1)), 204);
    assert.equal(await deliver(service, paid(5_000)), 204);
    assert.equal((await shop.payment(pix.id)).status, 'paid');
    assert.equal((await discrepanciesOf(service, shop.account)).length, 1);
  });

  test('is stored once, also if the acquirer repeats its notification after its id was deleted', async () => {
    const report = paid(1);
    assert.equal(await deliver(service, report), 204);
    const { account } = shop;
    await service.rows('delete from acquirer_notifications where merchant_id = :account', { account });
    assert.equal(await deliver(service, report), 204);
    assert.equal((await discrepanciesOf(service, account)).length, 1);
  });

  for (const [what, change] of [
    ['another type', { type: 'chargeback.requested' }],
    ['another reference', { reference: 'other' }],
  ] as const) {
    test(`is recorded for a notification with the id of an earlier one and ${what}`, async () => {
      const report = paid(5_000);
      assert.equal(await deliver(service, report), 204);
      const other = await shop.pixPayment();
      const reused = { ...report, ...change };
      if (reused.reference === 'other') reused.reference = await shop.reference(other.id);
      const together = await Promise.all(Array.from({ length: 3 }, () => deliver(service, reused)));
      assert.deepEqual(new Set(together), new Set([204]));
      assert.deepEqual(
        [(await shop.payment(pix.id)).status, (await shop.payment(other.id)).status],
        ['paid', 'waiting_payment'],
      );
      const [found, ...others] = await discrepanciesOf(service, shop.account);
      assert.deepEqual(
        [found?.reason, found?.reported.report, found?.reference, others],
        ['notification_id_reused', reused.type, reused.reference, []],
      );
    });
  }

  test('is recorded again if the acquirer sends a new notification', async () => {
    for (let i = 0; i < 2; i++) assert.equal(await deliver(service, paid(1)), 204);
    assert.equal((await discrepanciesOf(service, shop.account)).length, 2);
  });
});

/** Delivers so much later. */
async function deliverAfter(ms: number, report: WireNotification): Promise<number> {
  service.setAhead(ms);
  return deliver(service, report, { age_ms: -ms });
}

describe('a chargeback that arrives before the Pix is known to be paid', () => {
  const requested = () =>
    notification(shop.account, reference, 'chargeback.requested', { method: 'pix', amount_centavos: 5_000 });

  test('is refused, and applied once the Pix is paid', async () => {
    const report = requested();
    assert.deepEqual([await deliver(service, report), await deliver(service, report)], [409, 409]);
    const wasTold = () =>
      wasNotified(service.deps.db, shop.onboarded.merchant, {
        paymentId: pix.id,
        types: ['chargeback.requested'],
        since: new Date(0),
      });
    assert.equal(await wasTold(), false);
    assert.equal(await deliverAfter(9 * MINUTE_MS, paid(5_000)), 204);
    assert.equal(await deliverAfter(11 * MINUTE_MS, report), 204);
    assert.equal(await deliverAfter(11 * MINUTE_MS, report), 204);
    assert.equal(await wasTold(), true);
    assert.deepEqual(statusesOf(await shop.payment(pix.id)).slice(2), ['paid', 'chargeback_requested']);
    assert.deepEqual(await discrepanciesOf(service, shop.account), []);
  });

  test('is a discrepancy if the Pix is not paid after ten minutes', async () => {
    const report = requested();
    assert.equal(await deliver(service, report), 409);
    assert.equal(await deliverAfter(9 * MINUTE_MS, report), 409);
    assert.equal(await deliverAfter(11 * MINUTE_MS, report), 204);
    assert.equal(await deliverAfter(11 * MINUTE_MS, report), 204);
    const found = await discrepanciesOf(service, shop.account);
    assert.deepEqual(
      found.map(({ reason, payment_id }) => [reason, payment_id]),
      [['illegal_move', pix.id]],
    );
    assert.equal((await shop.payment(pix.id)).status, 'waiting_payment');
  });
});
