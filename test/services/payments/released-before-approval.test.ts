import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
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

describe('an authorization that was released or suspected of fraud before its approval arrives', () => {
  for (const [type, status, refusal] of [
    ['cancel.approved', 'canceled', null],
    ['authorization.fraud_detected', 'refused', { code: 'fraud', message: 'Fraud.', retryable: false }],
  ] as const) {
    /** The acquirer approves, its answer is lost, and `type` is what we hear first. */
    const heardFirst = async (capture: boolean) => {
      const { id } = await withLostAnswers(service, () => shop.cardPayment({ capture }));
      const of = await shop.reference(id);
      const report = notification(shop.account, of, type, { amount_centavos: 10_000, refusal });
      assert.equal(await deliver(service, report), 204);
      await reconcile(service, 130_000);
      assert.equal((await shop.payment(id)).status, status);
      return discrepanciesOf(service, shop.account);
    };

    test(`${type}: an approval with a capture is a discrepancy`, async () => {
      const [found, ...others] = await heardFirst(true);
      assert.deepEqual([found?.source, found?.reason, others], ['inquiry', 'illegal_move', []]);
    });

    test(`${type}: an approval without a capture is applied`, async () => {
      assert.deepEqual(await heardFirst(false), []);
    });
  }
});
