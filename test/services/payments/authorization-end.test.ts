import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { expirePayments } from '../../../jobs/payments/expire-payments.ts';
import { loseAnswers, reconcile } from '../../support/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/acquirer-records.ts';
import { advance, advanceBy, DAY_MS, HOUR_MS, MINUTE_MS, stepNames } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop, statusesOf } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

const CANCEL_FAILS = '4000000000001208';
const CAPTURE_FAILS = '4000000000001174';

const after = ({ created_at }: Json, ms: number) => new Date(Date.parse(created_at) + ms).toISOString();
const lastEvents = async (id: string, count: number) => (await shop.eventNames(id)).slice(-count);

/** The captures and voids that the acquirer was asked for. */
async function askedOf(id: string): Promise<string[]> {
  const rows = await service.rows<{ kind: string }>(
    "select kind from simulator.operations where payment_reference = :reference and kind in ('capture', 'cancel')",
    { reference: await shop.reference(id) },
  );
  return rows.map(({ kind }) => kind);
}

describe('an authorization that is not captured for 7 days', () => {
  test('is voided at the acquirer, at that time of the clock', async () => {
    const payment = await shop.authorized();
    await advance(shop, { to: after(payment, 7 * DAY_MS - MINUTE_MS) });
    assert.equal((await shop.payment(payment.id)).status, 'pre_authorized');

    const advanced = await advance(shop, { to: after(payment, 8 * DAY_MS) });
    assert.deepEqual(stepNames(advanced), ['void_credit_card']);
    const canceled = await shop.payment(payment.id);
    assert.deepEqual(statusesOf(canceled), ['processing', 'pre_authorized', 'canceled']);
    assert.equal(Date.parse(canceled.updated_at), Date.parse(after(payment, 7 * DAY_MS)));
    assert.deepEqual(await lastEvents(payment.id, 2), ['payment.canceled', 'payment.cancel_confirmed']);
    assert.deepEqual(await askedOf(payment.id), ['cancel']);
  });

  test('is voided by the background job, too', async () => {
    const { id } = await shop.authorized();
    service.setAhead(7 * DAY_MS - MINUTE_MS);
    assert.equal(await expirePayments(service.deps), 0);
    service.setAhead(7 * DAY_MS + MINUTE_MS);
    assert.equal(await expirePayments(service.deps), 1);
    assert.equal((await shop.payment(id)).status, 'canceled');
    assert.equal(await expirePayments(service.deps), 0);
  });

  test('is voided at that time although the answer of the acquirer is lost', async () => {
    const payment = await shop.authorized();
    const lost = loseAnswers(service);
    const advanced = await advance(shop, { to: after(payment, 8 * DAY_MS) });
    lost.undo();
    assert.deepEqual(stepNames(advanced), ['void_credit_card', 'reconcile_cancel']);
    const canceled = await shop.payment(payment.id);
    assert.deepEqual(
      [canceled.status, Date.parse(canceled.updated_at)],
      ['canceled', Date.parse(after(payment, 7 * DAY_MS))],
    );
    assert.deepEqual(await askedOf(payment.id), ['cancel']);
  });

  test('is voided a day later if the process dies before it asks the acquirer', async () => {
    const { id } = await shop.authorized();
    const dying = service.intercept(() => ({
      cancel: async () => {
        throw new Error('The process dies.');
      },
    }));
    service.setAhead(7 * DAY_MS + MINUTE_MS);
    assert.equal(await expirePayments(service.deps), 0);
    dying.undo();
    await reconcile(service, 7 * DAY_MS + 2 * MINUTE_MS);
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
    assert.deepEqual(await lastEvents(id, 1), ['payment.cancel_failed']);
    service.setAhead(8 * DAY_MS + 3 * MINUTE_MS);
    assert.equal(await expirePayments(service.deps), 1);
    assert.equal((await shop.payment(id)).status, 'canceled');
  });

  test('stays authorized if the acquirer refuses the void three times, a day apart', async () => {
    const payment = await shop.authorized(CANCEL_FAILS);
    const advanced = await advance(shop, { to: after(payment, 30 * DAY_MS) });
    assert.deepEqual(
      advanced.steps.map(({ step, at }: Json) => [step, Date.parse(at)]),
      [7, 8, 9].map((days) => ['void_credit_card', Date.parse(after(payment, days * DAY_MS))]),
    );
    assert.equal((await shop.payment(payment.id)).status, 'pre_authorized');
    assert.deepEqual(await lastEvents(payment.id, 3), Array(3).fill('payment.cancel_failed'));
  });

  test('is either captured or voided if both happen at once', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => shop.authorized()));
    service.setAhead(7 * DAY_MS + MINUTE_MS);
    const captures = payments.map(({ id }) => shop.capture(id));
    const jobs = Array.from({ length: 3 }, () => expirePayments(service.deps));
    const answers = await Promise.all(captures);
    await Promise.all(jobs);
    await expirePayments(service.deps);
    for (const [n, { id }] of payments.entries()) {
      const wasCaptured = answers[n]!.status === 200;
      assert.equal((await shop.payment(id)).status, wasCaptured ? 'paid' : 'canceled');
      assert.deepEqual(await askedOf(id), [wasCaptured ? 'capture' : 'cancel']);
    }
  });
});

test('an authorization of which a part was captured has no later step', async () => {
  const { id } = await shop.authorized();
  await shop.capture(id, 4_000);
  assert.deepEqual(stepNames(await advanceBy(shop, 10 * DAY_MS)), []);
  const payment = await shop.payment(id);
  assert.deepEqual([payment.status, payment.captured_amount], ['paid', 4_000]);
});

describe('an authorization with a delayed capture', () => {
  /** No order can ask for it yet. */
  async function captureAfter(hours: number, { id }: Json): Promise<void> {
    await service.rows(
      `update payments set due_at = created_at + make_interval(hours => :hours),
         details = (cast(details as jsonb) || jsonb_build_object('captureDelay_hours', cast(:hours as integer)))::json
        where merchant_id = :account and id = :id`,
      { account: shop.account, id, hours },
    );
  }

  test('is captured at its time', async () => {
    const payment = await shop.authorized();
    await captureAfter(24, payment);
    const advanced = await advance(shop, { to: after(payment, 24 * HOUR_MS) });
    assert.deepEqual(stepNames(advanced), ['capture_credit_card']);
    const paid = await shop.payment(payment.id);
    assert.deepEqual([paid.status, paid.captured_amount], ['paid', 10_000]);
    assert.deepEqual(await lastEvents(payment.id, 1), ['payment.capture_confirmed']);
  });

  test('is voided after 7 days if the acquirer refuses the capture', async () => {
    const payment = await shop.authorized(CAPTURE_FAILS);
    await captureAfter(24, payment);
    const advanced = await advance(shop, { to: after(payment, 10 * DAY_MS) });
    assert.deepEqual(stepNames(advanced), ['capture_credit_card', 'void_credit_card']);
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
  });
});
