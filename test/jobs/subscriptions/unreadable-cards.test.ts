import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { runBillingSteps } from '../../../jobs/subscriptions/billing-steps.ts';
import { advance, DAY_MS, HOUR_MS } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { invoices, subscribed } from '../../support/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** Makes a card unreadable, or readable again. */
async function flipSealedNumber(cardId: string): Promise<void> {
  await service.rows(
    `update cards set number_sealed = set_byte(number_sealed, 20, 255 - get_byte(number_sealed, 20))
      where merchant_id = :account and id = :card_id`,
    { account: shop.account, card_id: cardId },
  );
}

describe('a card that cannot be read', () => {
  test('does not hold up the clock, and its cycle is charged when it can be read again', async () => {
    const { id, card_id } = await subscribed(shop);
    const other = await subscribed(shop);
    await flipSealedNumber(card_id);
    await advance(shop, { to: `${inMonths(1)}T07:00:00-03:00` });
    assert.equal((await read(id)).successful_charges, 1);
    assert.equal((await read(other.id)).successful_charges, 2);
    await flipSealedNumber(card_id);
    await advance(shop, { days: 2 });
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('is tried again by the job a quarter of an hour later', async () => {
    const { id, card_id } = await subscribed(shop);
    await flipSealedNumber(card_id);
    service.setAhead(32 * DAY_MS);
    const logged = () => service.log.filter(({ fields }) => fields.subscription_id === id).length;
    await runBillingSteps(service.deps);
    await runBillingSteps(service.deps);
    assert.equal(logged(), 1);
    await flipSealedNumber(card_id);
    service.setAhead(32 * DAY_MS + HOUR_MS);
    await runBillingSteps(service.deps);
    assert.equal((await read(id)).successful_charges, 2);
  });
});

test('a card that is replaced while its charge is prepared is not charged', async () => {
  const { id, customer_id, card_id } = await subscribed(shop);
  const replacement = await shop.card(customer_id, '5555555555554444');
  service.setAhead(32 * DAY_MS);
  const { deps } = service;
  let isReplaced = false;
  const open: typeof deps.vault.open = async (sealed, context) => {
    if (!isReplaced && context.includes(card_id)) {
      isReplaced = true;
      const body = { payment_method: 'credit_card', credit_card: { id: replacement } };
      assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    }
    return deps.vault.open(sealed, context);
  };
  await runBillingSteps({ ...deps, vault: { ...deps.vault, open } });
  await runBillingSteps(deps);
  assert.ok(isReplaced);
  const [, renewal] = await invoices(shop, id);
  assert.deepEqual(
    renewal!.payments.map(({ status, credit_card }: Json) => [status, credit_card.id]),
    [['paid', replacement]],
  );
});
