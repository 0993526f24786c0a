/** A request without an outcome after an outage: an advance of the clock settles it before it moves. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { advanceBy, HOUR_MS, stepNames } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { askInVain } from '../../support/payments/outages.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

for (const { kind, path, isCaptured, status } of [
  { kind: 'capture', path: 'capture', isCaptured: false, status: 'paid' },
  { kind: 'refund', path: 'refunds', isCaptured: true, status: 'partially_refunded' },
] as const) {
  test(`a ${kind}, although its next inquiry is later`, async () => {
    const { id } = await shop.cardPayment({ capture: isCaptured });
    const lost = service.intercept(() => ({
      [kind]: async () => ({ kind: 'unknown', cause: 'time_out' }) as const,
      inquire: async () => ({ kind: 'unknown', cause: 'time_out' }),
    }));
    const answer = await shop.post(`/payments/${id}/${path}`, { amount: 4_000 });
    assert.ok(answer.status < 300, answer.text);
    await askInVain(service, shop, 'payment_operations');
    lost.undo();
    // Longer than a request that was not received is sent again.
    assert.ok(stepNames(await advanceBy(shop, 2 * HOUR_MS)).includes(`reconcile_${kind}`));
    assert.equal((await shop.payment(id)).status, status);
    await assertAcquirerAgrees(service, shop.account);
  });
}
