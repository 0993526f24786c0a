import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { advance, advanceBy, DAY_MS, MINUTE_MS, stepNames } from '../../support/clock-calls.ts';
import { loseAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import {
  after,
  askedOf,
  dieBeforeTheAcquirer,
  lastEvents,
  RESERVED,
  runJobs,
} from '../../support/payments/due-authorizations.ts';
import { runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, statusesOf } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

const CANCEL_FAILS = '4000000000001208';

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
    assert.deepEqual(await lastEvents(shop, payment.id, 2), ['payment.canceled', 'payment.cancel_confirmed']);
    assert.deepEqual(await askedOf(shop, payment.id), ['cancel']);
  });

  test('is voided by the background job, too', async () => {
    const { id } = await shop.authorized();
    service.setAhead(7 * DAY_MS - MINUTE_MS);
    assert.equal(await runPaymentSteps(service.deps), 0);
    service.setAhead(7 * DAY_MS + MINUTE_MS);
    assert.equal(await runPaymentSteps(service.deps), 1);
    assert.equal((await shop.payment(id)).status, 'canceled');
    assert.equal(await runPaymentSteps(service.deps), 0);
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
    assert.deepEqual(await askedOf(shop, payment.id), ['cancel']);
  });

  test('is voided once it is known that the acquirer has not received the void', async () => {
    const { id } = await shop.authorized();
    await dieBeforeTheAcquirer(service, 'cancel', 7 * DAY_MS);
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
    await runJobs(service, 7 * DAY_MS + 3 * MINUTE_MS);
    assert.deepEqual(await shop.eventNames(id), [
      ...RESERVED,
      'payment.canceled',
      'payment.cancel_confirmed',
    ]);
  });

  test('stays authorized if the acquirer refuses the void three times, a day apart', async () => {
    const payment = await shop.authorized(CANCEL_FAILS);
    const advanced = await advance(shop, { to: after(payment, 30 * DAY_MS) });
    assert.deepEqual(
      advanced.steps.map(({ step, at }: Json) => [step, Date.parse(at)]),
      [7, 8, 9].map((days) => ['void_credit_card', Date.parse(after(payment, days * DAY_MS))]),
    );
    assert.equal((await shop.payment(payment.id)).status, 'pre_authorized');
    assert.deepEqual(await lastEvents(shop, payment.id, 3), Array(3).fill('payment.cancel_failed'));
  });

  test('is voided a day later if its step fails: that is logged, and stops neither the others nor the clock', async () => {
    const broken = await shop.authorized();
    const other = await shop.authorized();
    const forbid = `check (id <> '${broken.id}' or pending_operation is null)`;
    await service.rows(`alter table payments add constraint forbidden ${forbid}`);
    const statuses = async () =>
      Promise.all([broken, other].map(async ({ id }) => (await shop.payment(id)).status));
    try {
      await advance(shop, { to: after(other, 7.5 * DAY_MS) });
      assert.deepEqual(await statuses(), ['pre_authorized', 'canceled']);
    } finally {
      await service.rows('alter table payments drop constraint forbidden');
    }
    assert.deepEqual(
      service.log.filter(({ fields }) => fields.payment_id === broken.id).map(({ message }) => message),
      ['a step of a payment failed'],
    );
    await advanceBy(shop, DAY_MS);
    assert.deepEqual(await statuses(), ['canceled', 'canceled']);
  });

  test('is either captured or voided if its last capture and its void happen at once', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => shop.authorized()));
    service.setAhead(7 * DAY_MS - MINUTE_MS);
    const captures = payments.map(({ id }) => shop.capture(id));
    // The first captures have begun.
    await captures[0];
    service.setAhead(7 * DAY_MS + MINUTE_MS);
    const jobs = Array.from({ length: 3 }, () => runPaymentSteps(service.deps));
    const answers = await Promise.all(captures);
    await Promise.all(jobs);
    await runPaymentSteps(service.deps);
    for (const [n, { id }] of payments.entries()) {
      const wasCaptured = answers[n]!.status === 200;
      assert.equal((await shop.payment(id)).status, wasCaptured ? 'paid' : 'canceled');
      assert.deepEqual(await askedOf(shop, id), [wasCaptured ? 'capture' : 'cancel']);
    }
  });
});

describe('an authorization of more than 7 days', () => {
  async function assertTooLate(id: string): Promise<void> {
    const answer = await shop.capture(id);
    assertRefused(answer, 'status');
    assert.match(answer.body.errors.status[0], /first 7 days/);
  }

  test('cannot be captured while its void is late', async () => {
    const { id } = await shop.authorized();
    service.setAhead(7 * DAY_MS + MINUTE_MS);
    await assertTooLate(id);
    assert.deepEqual(await askedOf(shop, id), []);
  });

  test('cannot be captured after the acquirer has refused its voids', async () => {
    const payment = await shop.authorized(CANCEL_FAILS);
    await advance(shop, { to: after(payment, 30 * DAY_MS) });
    await assertTooLate(payment.id);
    assert.equal((await shop.payment(payment.id)).captured_amount, 0);
  });

  test('is voided up to three times, also after the workers have stood still', async () => {
    const { id } = await shop.authorized(CANCEL_FAILS);
    for (const days of [20, 21, 22, 23, 24]) {
      service.setAhead(days * DAY_MS + MINUTE_MS);
      await runPaymentSteps(service.deps);
    }
    assert.deepEqual(await askedOf(shop, id), ['cancel', 'cancel', 'cancel']);
  });
});

test('an authorization of which a part was captured has no later step', async () => {
  const { id } = await shop.authorized();
  await shop.capture(id, 4_000);
  assert.deepEqual(stepNames(await advanceBy(shop, 10 * DAY_MS)), []);
  const payment = await shop.payment(id);
  assert.deepEqual([payment.status, payment.captured_amount], ['paid', 4_000]);
});
