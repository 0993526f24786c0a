/** An acquirer that receives no commands, but answers inquiries: each command is sent again under another reference. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, DAY_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { authorized, mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';

/** Sent at once, again at once, and then after 1, 2 and 4 minutes. */
const IN_TEN_MINUTES = 5;
/** Seven in the first hour, then one each hour to midnight, and one at 06:00. */
const IN_A_DAY = 26;

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const renewal = () => billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);
const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });

/** The acquirer receives none of these commands until `undo`. */
function refusing(...kinds: readonly string[]): { undo(): void } {
  const lost = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;
  return service.intercept(() => Object.fromEntries(kinds.map((kind) => [kind, lost])));
}

/** How many operations of a kind the shop's payments have. */
async function operations(kind: string): Promise<number> {
  const [row] = await service.rows<{ count: number }>(
    'select count(*)::int as count from payment_operations where merchant_id = :account and kind = :kind',
    { account: shop.account, kind },
  );
  return row!.count;
}

describe('a charge', () => {
  test('is sent again after longer and longer pauses, and is no failure', async () => {
    const { id } = await subscribed(shop);
    const before = await operations('authorize');
    const refused = refusing('authorize');
    await advanceTo(renewal());
    const { events } = await advanceBy(shop, 10 * MINUTE_MS);
    refused.undo();
    const [, invoice] = await invoices(shop, id);
    assert.equal(invoice!.payments.length, IN_TEN_MINUTES);
    assert.equal((await operations('authorize')) - before, IN_TEN_MINUTES);
    assert.ok(events.length <= 3 * IN_TEN_MINUTES, `${events.length} events`);
    await advanceBy(shop, 10 * MINUTE_MS);
    const { status, successful_charges, payment } = await read(id);
    assert.deepEqual([status, successful_charges, payment.retry_attempts], ['active', 2, 0]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is a failure that is retried on the days of the schedule, if none is received for a day', async () => {
    const { id } = await subscribed(shop);
    const refused = refusing('authorize');
    const next = addDays(renewal(), 1);
    await advanceTo(next, '05:59');
    assert.equal((await read(id)).status, 'active');
    await advanceTo(next);
    const late = await read(id);
    assert.deepEqual([late.status, (await invoices(shop, id))[1]!.payments.length], ['past_due', IN_A_DAY]);
    await advanceBy(shop, 20 * DAY_MS);
    refused.undo();
    assert.equal((await read(id)).status, 'unpaid');
    assert.equal((await invoices(shop, id))[1]!.payments.length, IN_A_DAY + 4);
  });
});

describe('a cancellation', () => {
  test('of a boleto is sent again after longer and longer pauses', async () => {
    const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
    const refused = refusing('cancel');
    assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200);
    const { events } = await advanceBy(shop, 10 * MINUTE_MS);
    assert.equal(await operations('cancel'), IN_TEN_MINUTES);
    const waiting = await shop.payment(payment.id);
    assert.ok(waiting.history.length <= 2 + 2 * IN_TEN_MINUTES, `${waiting.history.length} entries`);
    assert.ok(events.length <= 3 * IN_TEN_MINUTES, `${events.length} events`);
    refused.undo();
    await advanceBy(shop, 10 * MINUTE_MS);
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('of a mandate is sent again after longer and longer pauses', async () => {
    const { id } = await authorized(shop);
    const refused = refusing('cancel_mandate');
    assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200);
    await advanceBy(shop, 10 * MINUTE_MS);
    assert.equal(await operations('cancel_mandate'), IN_TEN_MINUTES);
    refused.undo();
    await advanceBy(shop, 10 * MINUTE_MS);
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    await assertAcquirerAgrees(service, shop.account);
  });
});
