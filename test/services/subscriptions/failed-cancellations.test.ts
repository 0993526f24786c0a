/** Changes of a subscription that end a mandate, whose cancellation at the acquirer fails or takes long. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { findMerchant } from '../../../db/merchants/merchants.ts';
import { returnResult } from '../../../services/deps.ts';
import { cancelSubscription } from '../../../services/subscriptions/cancel-subscription.ts';
import { updatePaymentMethod } from '../../../services/subscriptions/update-payment-method.ts';
import { advance } from '../../support/clock-calls.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { changedToPix, mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';
import { script } from '../../support/subscriptions/plan-change-calls.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const { deps } = service;
const TIMEOUT_MS = 30_000;
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** Dependencies whose cancellation of a mandate fails, after another command was sent if it `waits` for that. */
function failing(logged: unknown[], { waits = true } = {}): typeof deps {
  const { promise: isOtherSent, resolve } = Promise.withResolvers<void>();
  if (!waits) resolve();
  const perform: typeof deps.acquirer.perform = async (command) => {
    if (command.kind !== 'cancel_mandate') {
      resolve();
      return deps.acquirer.perform(command);
    }
    await isOtherSent;
    await deps.acquirer.perform(command);
    throw new Error('The answer cannot be read.');
  };
  const error = (fields: { operation: string }, message: string) => logged.push(message, fields.operation);
  return { ...deps, acquirer: { ...deps.acquirer, perform }, log: { ...deps.log, error: error as never } };
}

test('a mandate is requested without waiting for the end of the one before', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { id } = await subscribed(shop);
  await changedToPix(shop, id);
  const logged: unknown[] = [];
  const update = { identifier: id, payment: { method: 'pix_recurring' }, offerId: null } as const;
  const { payment } = await updatePaymentMethod(
    failing(logged),
    (await findMerchant(deps.db, shop.onboarded.merchant))!,
    update,
    returnResult,
  );
  assert.deepEqual(logged, ['an operation failed', 'cancel_mandate']);
  assert.equal(payment?.status, 'scheduled');
  await reconcile(service, 60_000);
  assert.deepEqual(await mandateStates(shop), ['canceled', 'created']);
});

test('an overdue cycle is charged without waiting for the end of a mandate', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { id, customer_id, card_id } = await subscribed(shop);
  const cardId = await shop.card(customer_id, '5555555555554444');
  await script(shop, card_id, 'insufficient_funds');
  await advance(shop, { to: `${month(1)}T06:00:00-03:00` });
  await changedToPix(shop, id);
  const logged: unknown[] = [];
  const update = {
    identifier: id,
    payment: { method: 'credit_card', creditCard: { id: cardId } },
    offerId: null,
  } as never;
  const { payment } = await updatePaymentMethod(
    failing(logged),
    (await findMerchant(deps.db, shop.onboarded.merchant))!,
    update,
    returnResult,
  );
  assert.deepEqual(logged, ['an operation failed', 'cancel_mandate']);
  assert.equal(payment?.status, 'paid');
  await reconcile(service, 60_000);
  assert.deepEqual(await mandateStates(shop), ['canceled']);
});

test('a change that charges nothing is answered although the end of a mandate fails', async () => {
  const { id, customer_id } = await subscribed(shop);
  const cardId = await shop.card(customer_id, '5555555555554444');
  await changedToPix(shop, id);
  const logged: unknown[] = [];
  const update = {
    identifier: id,
    payment: { method: 'credit_card', creditCard: { id: cardId } },
    offerId: null,
  };
  const { subscription } = await updatePaymentMethod(
    failing(logged, { waits: false }),
    shop.onboarded.merchant,
    update as never,
    returnResult,
  );
  assert.deepEqual(logged, ['an operation failed', 'cancel_mandate']);
  assert.equal(subscription.cardId, cardId);
  await reconcile(service, 60_000);
  assert.deepEqual(await mandateStates(shop), ['canceled']);
});

test('a subscription is canceled although the end of its mandate fails', async () => {
  const { id } = await subscribed(shop);
  await changedToPix(shop, id);
  const logged: unknown[] = [];
  const cancellation = { key: { id: String(id) }, reason: null, isRerun: false } as const;
  const { subscription } = await cancelSubscription(
    failing(logged, { waits: false }),
    shop.onboarded.merchant,
    cancellation,
    returnResult,
  );
  assert.deepEqual(logged, ['an operation failed', 'cancel_mandate']);
  assert.notEqual(subscription.canceledAt, null);
  await reconcile(service, 60_000);
  assert.deepEqual(await mandateStates(shop), ['canceled']);
});
