import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { SCENES, WRONG_REPORTS } from './wrong-reports.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** The payment with the references of its first and of its last operation. */
async function sceneOf(paymentId: string) {
  const operations = await service.rows<{ reference: string }>(
    'select reference from payment_operations where payment_id = :id order by created_at, id',
    { id: paymentId },
  );
  return {
    payment: await shop.payment(paymentId),
    references: { payment: operations[0]!.reference, following: operations.at(-1)!.reference },
  };
}

const refusal = { code: 'do_not_honor', message: 'No.', retryable: true };

describe('a wrong notification is a discrepancy, and the payment does not change', () => {
  for (const [scene, of, type, amount_centavos, reason, fields = {}] of WRONG_REPORTS) {
    const words = [type, amount_centavos, ...Object.values(fields)].join(' ');
    test(`${scene}: ${words}: ${reason}`, async () => {
      const { payment, references } = await sceneOf(await SCENES[scene](shop));
      const events = await shop.eventNames(payment.id);
      const report = notification(shop.account, references[of], type, {
        method: payment.payment_method,
        amount_centavos,
        refusal: type.endsWith('refused') ? refusal : null,
        ...fields,
      });
      assert.equal(await deliver(service, report), 204);
      assert.deepEqual(await shop.payment(payment.id), payment);
      assert.deepEqual(await shop.eventNames(payment.id), events);
      const [found, ...others] = await discrepanciesOf(service, shop.account);
      assert.deepEqual(others, []);
      assert.deepEqual(
        [found?.source, found?.reason, found?.payment_id, found?.reference, found?.status],
        ['notification', reason, payment.id, references[of], 'open'],
      );
      const { reported, recorded } = found!;
      assert.deepEqual(
        [reported.report, reported.amount_centavos, reported.notification_id],
        [type, amount_centavos, report.id],
      );
      assert.deepEqual([recorded.payment_status, recorded.amount_centavos], [payment.status, payment.amount]);
      // The real outcome is found later.
      await reconcile(service);
      await assertAcquirerAgrees(service, shop.account);
    });
  }
});
