import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts';
import { returnResult } from '../../../services/deps.ts';
import { updatePaymentMethod } from '../../../services/subscriptions/update-payment-method.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { changedToPix, mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const { deps } = service;

test('a mandate is requested although the cancellation of the one before cannot be written', async () => {
  const shop = await Shop.open(service);
  const { merchant } = shop.onboarded;
  const { id } = await subscribed(shop);
  await changedToPix(shop, id);
  const sent: string[] = [];
  const logged: unknown[] = [];
  const isCancellation = () => sent.at(-1) === 'cancel_mandate';
  const failing: typeof deps = {
    ...deps,
    acquirer: {
      ...deps.acquirer,
      perform: (command) => {
        sent.push(command.kind);
        return deps.acquirer.perform(command);
      },
    },
    db: {
      ...deps.db,
      transaction: async (scope, work) => {
        if (isCancellation()) throw new DatabaseUnavailable(new Error('A lock was held for too long.'));
        return deps.db.transaction(scope, work);
      },
    },
    log: { ...deps.log, error: (...line: unknown[]) => logged.push(line[1]) },
  };
  const update = { identifier: id, payment: { method: 'pix_recurring' }, offerId: null } as const;
  const { payment } = await updatePaymentMethod(failing, merchant, update, returnResult);
  assert.deepEqual(sent, ['cancel_mandate', 'mandate']);
  assert.deepEqual(logged, ['a cancellation failed']);
  assert.equal(payment?.status, 'scheduled');
  await reconcile(service, 60_000);
  assert.deepEqual(await mandateStates(shop), ['canceled', 'created']);
});
