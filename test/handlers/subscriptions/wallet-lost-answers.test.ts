/** Subscriptions by wallet whose first charge has no known outcome at first. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { subscribedByWallet } from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

const APPROVED_LATE = '4000000000001133';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
  await verifiedDomain(shop, domainOf(shop));
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

describe('a first charge of a wallet whose answer is lost', () => {
  test('is settled by the reconciler, with the credential of the later charges', async () => {
    const { id, status, payment } = await withLostAnswers(service, () => subscribedByWallet(shop));
    assert.deepEqual([status, payment.status], ['payment_pending', 'processing']);
    await reconcile(service);
    service.setAhead(0);
    assert.equal((await read(id)).status, 'active');
    await advanceTo(month(1));
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('that did not reach the acquirer makes the subscription unpaid', async () => {
    const { id, status } = await subscribedByWallet(shop, {}, '4000000000001125');
    assert.equal(status, 'payment_pending');
    await reconcile(service, 25_000);
    service.setAhead(0);
    const { status: settled, payment } = await read(id);
    assert.deepEqual([settled, payment.status], ['unpaid', 'refused']);
  });

  test('is settled by a notification, with the credential of the later charges', async () => {
    const { id, status } = await subscribedByWallet(shop, {}, APPROVED_LATE);
    assert.equal(status, 'payment_pending');
    await advanceBy(shop, MINUTE_MS);
    assert.equal((await read(id)).status, 'active');
    await advanceTo(month(1), '07:00');
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('waits for another notification while the acquirer does not answer the inquiry after the first', async () => {
    const { id } = await subscribedByWallet(shop, {}, APPROVED_LATE);
    let inquiries = 0;
    const silent = service.intercept((real) => ({
      inquire: (inquiry) => {
        inquiries += 1;
        return inquiries === 1
          ? Promise.resolve({ kind: 'unknown', cause: 'time_out' })
          : real.inquire(inquiry);
      },
    }));
    await advanceBy(shop, MINUTE_MS);
    silent.undo();
    assert.ok(inquiries > 1);
    await advanceTo(month(1), '07:00');
    const { status, successful_charges } = await read(id);
    assert.deepEqual([status, successful_charges], ['active', 2]);
  });
});

test('a subscription by wallet has no outcome while the approval of its first charge brings no credential', async () => {
  const spy = service.intercept((real) => ({
    authorize: async (command) => {
      const outcome = await real.perform(command);
      if (outcome.kind !== 'approved') return outcome;
      const { storedCredential: _, ...without } = outcome;
      return without;
    },
  }));
  const { id, status, payment } = await subscribedByWallet(shop);
  spy.undo();
  assert.deepEqual([status, payment.status], ['payment_pending', 'processing']);
  assert.deepEqual(
    (await discrepanciesOf(service, shop.account)).map(({ reason }) => reason),
    ['credential_missing'],
  );
  await reconcile(service, 2 * 60 * MINUTE_MS);
  service.setAhead(0);
  assert.equal((await read(id)).status, 'active');
  await advanceTo(month(1));
  assert.equal((await read(id)).successful_charges, 2);
});
