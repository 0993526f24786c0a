import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, nextBusinessDay } from '../../../domain/business-days.ts';
import { endOfMerchantDay, merchantDay } from '../../../domain/local-time.ts';
import { advance } from '../../support/clock-calls.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { created, statusesOf } from '../../support/shop.ts';

const { shop } = await sharedShop();

/** The first Saturday after today. */
function nextSaturday(): string {
  const today = merchantDay(new Date());
  const ahead = 6 - new Date(`${today}T12:00:00Z`).getUTCDay();
  return addDays(today, ahead === 0 ? 7 : ahead);
}

test('a boleto expires at the end of the next business day, and money that comes later still pays it', async () => {
  const due_at = nextSaturday();
  const { id } = await shop.bankSlipPayment(5_000, { due_at });
  const { id: unpaid } = await shop.bankSlipPayment(7_000, { due_at });
  const expiry = endOfMerchantDay(nextBusinessDay(due_at));

  await advance(shop, { to: new Date(expiry.getTime() - 60_000).toISOString() });
  assert.equal((await shop.payment(id)).status, 'waiting_payment');
  await advance(shop, { to: expiry.toISOString() });
  const expired = await shop.payment(id);
  assert.equal(expired.status, 'expired');
  assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.updated', 'payment.expired']);

  const simulated = await shop.post(`/sandbox/payments/${id}/simulate`, { outcome: 'paid' });
  assert.equal(simulated.status, 200, simulated.text);
  const paid = await shop.payment(id);
  assert.deepEqual([paid.status, paid.captured_amount], ['paid', 5_000]);
  assert.deepEqual(statusesOf(paid), ['processing', 'waiting_payment', 'expired', 'paid']);
  assert.equal((await created(shop.refund(id))).status, 'succeeded');
  assert.equal((await shop.payment(unpaid)).status, 'expired');
});
