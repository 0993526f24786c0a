import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBulk } from '../../../db/engine/bulk.ts';
import { insertOperation } from '../../../db/payments/payment-operations.ts';
import { findSubscriptionById } from '../../../db/subscriptions/subscriptions.ts';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { firstOperation } from '../../../services/payments/first-operation.ts';
import { addCyclePayment, cyclePayment } from '../../../services/subscriptions/cycle-payment.ts';
import { prepareCharge } from '../../../services/subscriptions/prepare-charges.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const { deps } = service;
const shop = await Shop.open(service);
const { merchant } = shop.onboarded;
const ROLLBACK = new Error('rolled back');

test('a charge is written before its operation, although another step writes an operation first', async () => {
  const { id } = await subscribed(shop);
  const paid = await shop.authorized();
  const subscription = (await findSubscriptionById(deps.db, merchant, id))!;
  const means = await prepareCharge(deps, merchant, subscription);
  const at = deps.wall();
  const charge = { cycle: 1, amount_centavos: 4_990, dueOn: '2046-03-10' };
  const payment = cyclePayment({ deps, merchant, subscription, at }, charge, means);
  const written = deps.db.transaction(merchant, async (transaction) => {
    const tx = inBulk(transaction);
    const other = {
      ...firstOperation(deps, payment),
      id: uuidV7(at.getTime(), deps.random),
      paymentId: paid.id,
      paymentAmount_centavos: paid.amount,
      amount_centavos: paid.amount,
    };
    const [, { operation }] = await Promise.all([
      insertOperation(tx, merchant, { ...other, kind: 'mandate_charge', reference: `${other.reference}2` }),
      addCyclePayment({ deps, tx, merchant }, payment, means),
    ]);
    assert.equal(operation.paymentId, payment.id);
    throw ROLLBACK;
  });
  await assert.rejects(written, ROLLBACK);
});
