import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  advance,
  advanceBy,
  clockNow,
  DAY_MS,
  interceptNextDue,
  MINUTE_MS,
  SECOND_MS,
} from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';

const REFUND_SUCCEEDS_LATER = '4000000000007726';
const DISPUTED = '4000000000000259';
const APPROVED_LATE = '4000000000001133';

const service = await sharedService({ jobs: false });
let shop: Shop;
/** Each test moves the clock of another merchant. */
beforeEach(async () => {
  shop = await Shop.open(service);
});

describe('200', () => {
  test('moves by days, and the clock continues from there', async () => {
    const started = Date.now();
    const before = await clockNow(shop);
    const { now, counts, steps, events } = await advance(shop, { days: 3 });
    const moved = Date.parse(now) - before - 3 * DAY_MS;
    assert.ok(moved >= 0 && moved <= Date.now() - started, `3 days and ${moved} ms`);
    assert.deepEqual([counts, steps, events], [{ steps: 0, events: 0 }, [], []]);
    const ticked = (await clockNow(shop)) - Date.parse(now);
    assert.ok(ticked >= 0 && ticked <= Date.now() - started, `${ticked} ms`);
  });

  test('moves the acquirer’s clock with it', async () => {
    await advance(shop, { days: 9 });
    const [row] = await service.rows<{ ours: number; theirs: number }>(
      `select c.offset_ms as ours, a.clock_offset_ms as theirs
         from merchant_clocks c join simulator.accounts a on a.account = c.merchant_id::text
        where c.merchant_id = :account`,
      { account: shop.account },
    );
    assert.ok(row!.ours > 8 * DAY_MS);
    assert.equal(row!.theirs, row!.ours);
  });

  test('never moves back, even if the advance takes longer than its length', async () => {
    const to = (await clockNow(shop)) + 2 * SECOND_MS;
    const slow = interceptNextDue(service, (real) => {
      service.setAhead(5 * SECOND_MS);
      return real();
    });
    await advance(shop, { to: new Date(to).toISOString() });
    slow.undo();
    assert.ok((await clockNow(shop)) >= to + 3 * SECOND_MS);
    service.setAhead(0);
  });

  test('moves to an instant with any offset', async () => {
    const to = new Date((await clockNow(shop)) + 40 * DAY_MS);
    const inSaoPaulo = `${new Date(to.getTime() - 180 * MINUTE_MS).toISOString().slice(0, -1)}-03:00`;
    const { now } = await advance(shop, { to: inSaoPaulo });
    assert.equal(now, to.toISOString().replace('Z', '000Z'));
  });

  test('moves again from the current time, up to 5 years each time', async () => {
    const start = await clockNow(shop);
    await advance(shop, { days: 1_826 });
    const there = await clockNow(shop);
    assert.ok(there >= start + 1_826 * DAY_MS);
    const to = new Date(there);
    to.setUTCFullYear(to.getUTCFullYear() + 5);
    assert.equal((await advance(shop, { to: to.toISOString() })).now, to.toISOString().replace('Z', '000Z'));
  });

  test('does not move other merchants', async () => {
    const other = await Shop.open(service);
    const theirs = await other.pixPayment();
    const late = await other.cardPayment({ number: APPROVED_LATE });
    await shop.pixPayment();
    await advance(shop, { days: 30 });
    assert.ok((await clockNow(other)) < Date.now() + MINUTE_MS);
    assert.equal((await other.payment(theirs.id)).status, 'waiting_payment');
    assert.equal((await other.payment(late.id)).status, 'processing');
    assert.equal((await other.get('/sandbox/clock')).status, 'idle');
  });

  test('dates new objects by the moved clock, also at the acquirer', async () => {
    await advance(shop, { days: 10 });
    const customer = await shop.get(`/customers/${await shop.customer()}`);
    const { id, created_at, pix } = await shop.pixPayment();
    assert.ok(Date.parse(created_at) >= Date.now() + 10 * DAY_MS - MINUTE_MS);
    assert.equal(Date.parse(pix.expires_at) - Date.parse(created_at), 30 * MINUTE_MS);
    const day = new Date(Date.parse(created_at) - 180 * MINUTE_MS).toISOString().slice(0, 10);
    assert.equal(customer.created_at.slice(0, 10), day.split('-').reverse().join('/'));
    const { steps } = await advanceBy(shop, 30 * MINUTE_MS + SECOND_MS);
    assert.deepEqual(steps, [{ at: pix.expires_at, step: 'expire_pix', object_id: id }]);
  });

  test('returns the same answer for a repeated Idempotency-Key, and moves once', async () => {
    const first = await shop.post('/sandbox/clock/advance', { days: 2 }, 'advance-1');
    const again = await shop.post('/sandbox/clock/advance', { days: 2 }, 'advance-1');
    assert.equal(first.status, 200);
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.ok((await clockNow(shop)) < Date.now() + 2 * DAY_MS + MINUTE_MS);
  });

  test('leaves equal records here and at the acquirer', async () => {
    await shop.cardPayment({ number: DISPUTED });
    const refunded = await shop.cardPayment({ number: REFUND_SUCCEEDS_LATER });
    await created(shop.refund(refunded.id, 4_000));
    await shop.pixPayment(99_990_001);
    await shop.pixPayment();
    await advance(shop, { days: 7 });
    await assertAcquirerAgrees(service, shop.account);
  });
});
