import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate, stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { invoices, NO_FUNDS, story, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const inMonths = (count: number) => billingDate({ start: today(), interval: 'monthly' }, count);
const stepOn = (day: string) => stepTime(day).toISOString().replace('Z', '000Z');

async function cancel(body: object): Promise<Json> {
  const { status, body: canceled, text } = await shop.post('/subscriptions/cancel', body);
  assert.equal(status, 200, text);
  return canceled;
}

describe('a cancellation', () => {
  test('stops the charges, and access lasts to the end of the paid period', async () => {
    const { id } = await subscribed(shop);
    const canceled = await cancel({ id, reason: 'Moving abroad' });
    assert.deepEqual(
      [canceled.status, canceled.cancellation_reason, canceled.ends_at, canceled.ended_at],
      ['canceled', 'Moving abroad', stepOn(inMonths(1)), null],
    );
    assert.notEqual(canceled.canceled_at, null);
    assert.deepEqual(await read(id), canceled);
    await advanceTo(inMonths(2));
    const ended = await read(id);
    assert.deepEqual(
      [ended.status, ended.successful_charges, ended.next_charge_at, ended.ended_at],
      ['ended', 1, null, stepOn(inMonths(1))],
    );
    assert.deepEqual((await story(shop)).slice(-3), [
      'subscription.canceled canceled',
      'subscription.inactivated canceled',
      'subscription.ended ended',
    ]);
  });

  test('names the subscription by its code', async () => {
    const { code } = await subscribed(shop);
    assert.equal((await cancel({ code })).status, 'canceled');
  });

  test('by a code that looks like an id selects by the code, and by an id selects by the id', async () => {
    const one = await subscribed(shop);
    const other = await subscribed(shop, { code: one.id });
    assert.equal((await cancel({ code: one.id })).id, other.id);
    assert.equal((await read(one.id)).status, 'active');
    const { code } = await subscribed(shop);
    assert.equal((await shop.post('/subscriptions/cancel', { id: code })).status, 404);
    assert.equal((await cancel({ id: one.id })).id, one.id);
  });

  test('in a trial ends the access with the trial', async () => {
    const { id } = await subscribed(shop, { trial_days: 5 });
    assert.equal((await cancel({ id })).ends_at, stepOn(addDays(today(), 5)));
    await advanceTo(addDays(today(), 5));
    assert.equal((await read(id)).status, 'ended');
    assert.deepEqual((await shop.get('/payments')).data, []);
  });

  test('before the first charge ends the subscription at once', async () => {
    const { id } = await subscribed(shop, { start_at: addDays(today(), 5) });
    assert.equal((await cancel({ id })).status, 'ended');
  });

  test('of an overdue subscription leaves 30 days for a reactivation', async () => {
    const { id } = await subscribed(shop, {}, NO_FUNDS);
    assert.equal((await cancel({ id })).ends_at, stepOn(addDays(today(), 30)));
    await advanceTo(addDays(today(), 31));
    assert.equal((await read(id)).status, 'ended');
    assert.equal((await invoices(shop, id))[0]!.status, 'void');
    assert.equal((await shop.get('/payments')).data.length, 1);
  });

  test('is refused for a subscription that is canceled, unknown, or of another merchant', async () => {
    const { id } = await subscribed(shop);
    await cancel({ id });
    assertRefused(await shop.post('/subscriptions/cancel', { id }), 'status');
    const other = await Shop.open(service);
    assert.equal((await other.post('/subscriptions/cancel', { id })).status, 404);
    assert.equal((await shop.post('/subscriptions/cancel', { code: 'no such code' })).status, 404);
  });

  test('needs exactly one of id and code', async () => {
    const { id, code } = await subscribed(shop);
    assert.equal((await shop.post('/subscriptions/cancel', {})).status, 422);
    assertRefused(await shop.post('/subscriptions/cancel', { id, code }), 'code');
  });

  test('is possible while the merchant is not approved', async () => {
    const { id } = await subscribed(shop);
    await shop.suspend();
    assert.equal((await cancel({ id })).status, 'canceled');
    assert.equal((await shop.post(`/subscriptions/${id}/reactivate`)).status, 403);
  });
});

describe('a reactivation', () => {
  const reactivate = (id: string) => shop.post(`/subscriptions/${id}/reactivate`);

  test('makes the subscription active, and the next charge keeps its date', async () => {
    const { id, code } = await subscribed(shop);
    await cancel({ id, reason: 'By mistake' });
    const { status, body, text } = await reactivate(code);
    assert.equal(status, 200, text);
    assert.deepEqual(body.data, { id, status: 'active', next_charge_at: inMonths(1) });
    const active = await read(id);
    assert.deepEqual([active.canceled_at, active.ends_at, active.cancellation_reason], [null, null, null]);
    await advanceTo(inMonths(1));
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('charges an overdue cycle at the next step', async () => {
    const { id, card_id } = await subscribed(shop);
    const outcomes = [{ operation: 'authorize', outcome: 'insufficient_funds' }];
    await created(shop.post('/sandbox/scripts', { card_id, outcomes }));
    await advanceTo(inMonths(1));
    await cancel({ id });
    await advanceTo(addDays(inMonths(1), 10));
    assert.equal((await read(id)).status, 'canceled');
    assert.equal((await reactivate(id)).status, 200);
    await advanceTo(addDays(inMonths(1), 11));
    const { status, successful_charges, next_charge_at } = await read(id);
    assert.deepEqual([status, successful_charges, next_charge_at], ['active', 2, inMonths(2)]);
    const events = (await story(shop)).map((line) => line.split(' ')[0]);
    // The merchant gives access again, as after any overdue cycle.
    assert.deepEqual(events.slice(-3), [
      'subscription.charge_succeeded',
      'subscription.activated',
      'subscription.updated',
    ]);
  });

  test('is refused unless the subscription is canceled and was charged once', async () => {
    const active = await subscribed(shop);
    const trial = await subscribed(shop, { trial_days: 5 });
    await cancel({ id: trial.id });
    for (const { id } of [active, trial]) assertRefused(await reactivate(id), 'status');
    await cancel({ id: active.id });
    await advanceTo(inMonths(1));
    assertRefused(await reactivate(active.id), 'status');
  });

  test('is refused if the card was deleted after the cancellation', async () => {
    const { id, card_id } = await subscribed(shop);
    const inUse = await shop.call('DELETE', `/cards/${card_id}`);
    assert.deepEqual([inUse.status, inUse.body.error.code], [409, 'card_in_use']);
    await cancel({ id });
    assert.equal((await shop.call('DELETE', `/cards/${card_id}`)).status, 204);
    assertRefused(await reactivate(id), 'status');
  });

  test('of a subscription that does not exist is answered with 404', async () => {
    assert.equal((await reactivate('no such code')).status, 404);
  });
});
