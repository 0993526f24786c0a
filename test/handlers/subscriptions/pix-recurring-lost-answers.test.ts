/** Pix recurring subscriptions whose calls to the acquirer have no known outcome: the reconciler finds it out. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import type { Acquirer, Inquiry } from '../../../gateway/acquirer.ts';
import {
  advance,
  advanceBy,
  clockNow,
  HOUR_MS,
  interceptNextDue,
  MINUTE_MS,
  stepNames,
} from '../../support/clock-calls.ts';
import { loseAnswers, reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { runBillingSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, statusesOf } from '../../support/shop.ts';
import { authorize, authorized, requested } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, story } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const nextDue = () => billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);

/** The state of the subscription's mandate at the acquirer. */
async function mandateAtAcquirer(id: string): Promise<string | undefined> {
  const [row] = await service.rows<{ state: string }>(
    `select t.mandate ->> 'state' as state from mandates m
       join simulator.payments t on t.account = m.merchant_id::text and t.reference = m.reference
      where m.merchant_id = :account and m.subscription_id = :id`,
    { account: shop.account, id },
  );
  return row?.state;
}

/** Runs `work` while requests for mandates and their charges do not reach the acquirer. */
async function withLostRequests<Result>(work: () => Promise<Result>): Promise<Result> {
  const lost = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;
  const spy = service.intercept(() => ({ mandate: lost, mandate_charge: lost }));
  try {
    return await work();
  } finally {
    spy.undo();
  }
}

describe('a request for a mandate', () => {
  for (const [what, trial_days, waiting, approved] of [
    ['with a first charge', 0, 'waiting_payment', 'payment_approved'],
    ['with a trial', 7, 'scheduled', 'trial_started'],
  ] as const) {
    test(`${what} whose answer is lost gets its QR code later`, async () => {
      const asked = await withLostAnswers(service, () => requested(shop, { trial_days }));
      assert.deepEqual([asked.status, asked.payment.pix_recurring.qr_code], ['payment_pending', null]);
      await reconcile(service);
      const { payment } = await read(asked.id);
      assert.equal(payment.status, waiting);
      assert.match(payment.pix_recurring.qr_code, /^000201/);
      assert.equal((await authorize(shop, asked.id)).status, approved);
      await assertAcquirerAgrees(service, shop.account);
    });

    test(`${what} whose answer is lost can be authorized before its outcome is known`, async () => {
      const { id } = await withLostAnswers(service, () => requested(shop, { trial_days }));
      assert.equal((await authorize(shop, id)).status, approved);
      const before = await story(shop);
      await reconcile(service);
      const { status, payment } = await read(id);
      assert.equal(status, approved);
      assert.match(payment.pix_recurring.qr_code, /^000201/);
      assert.deepEqual(
        await story(shop),
        [...before, `payment.updated ${payment.status}`],
        'the QR code is late',
      );
      await assertAcquirerAgrees(service, shop.account);
    });

    test(`${what} that never arrived is refused, and the subscription ends`, async () => {
      const { id } = await withLostRequests(() => requested(shop, { trial_days }));
      await reconcile(service);
      const { status, payment } = await read(id);
      assert.deepEqual([status, payment.status], ['payment_pending', 'refused']);
      assertRefused(await shop.post(`/sandbox/subscriptions/${id}/authorize`), 'status');
      await advanceBy(shop, 30 * MINUTE_MS);
      assert.equal((await read(id)).status, 'ended');
      await assertAcquirerAgrees(service, shop.account);
    });
  }

  test('whose answer is lost ends with its QR code if it is not used', async () => {
    const { id } = await withLostAnswers(service, () => requested(shop));
    const { steps } = await advanceBy(shop, 30 * MINUTE_MS);
    assert.equal(steps[0].step, 'reconcile_mandate');
    const ended = await read(id);
    assert.deepEqual([ended.status, ended.payment.status], ['ended', 'expired']);
    await assertAcquirerAgrees(service, shop.account);
  });
});

describe('a later charge', () => {
  test('whose answer is lost while the clock moves is paid on its day, once', async () => {
    const { id } = await authorized(shop);
    const due = nextDue();
    const { steps } = await withLostAnswers(service, () => advanceTo(due));
    assert.deepEqual(stepNames({ steps }), [
      'bill_cycle',
      'send_cycle_charge',
      'reconcile_mandate_charge',
      'acquirer_pix_recurring_paid',
    ]);
    const { payment, successful_charges } = await read(id);
    assert.deepEqual(statusesOf(payment), ['scheduled', 'waiting_payment', 'paid']);
    assert.equal(successful_charges, 2);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('that never arrived is made again under another reference, and is no failure', async () => {
    const { id } = await authorized(shop);
    const due = nextDue();
    await advanceTo(addDays(due, -3));
    await withLostRequests(() => advanceTo(addDays(due, -2)));
    await advanceTo(due);
    const [, invoice] = await invoices(shop, id);
    // It is made again at once, and then a minute later. It can still be sent in time, so it keeps its due date.
    assert.deepEqual(
      invoice!.payments.map((payment: Json) => [
        payment.status,
        payment.billing_date,
        payment.retry_attempts,
      ]),
      ['refused', 'refused', 'paid'].map((status) => [status, due, 0]),
    );
    assert.equal((await read(id)).status, 'payment_approved');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('of a worker that got no answer is settled by the reconciler', async () => {
    const { id } = await authorized(shop);
    const due = nextDue();
    await advanceTo(addDays(due, -2), '05:59');
    assert.equal((await read(id)).payment.status, 'scheduled');
    const lost = loseAnswers(service);
    service.setAhead(2 * MINUTE_MS);
    await runBillingSteps(service.deps);
    lost.undo();
    const sent = await read(id);
    assert.deepEqual(
      [sent.payment.status, sent.payment.pix_recurring.acquirer_reference],
      ['waiting_payment', null],
    );
    await reconcile(service, 3 * MINUTE_MS);
    assert.match((await read(id)).payment.pix_recurring.acquirer_reference, /^acq_/);
    await advanceTo(due);
    assert.equal((await read(id)).successful_charges, 2);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('that is refused although its answer was lost is retried on its days', async () => {
    const { id } = await authorized(shop, {}, { terms: { retry_policy: true } });
    const due = nextDue();
    await withLostAnswers(service, () => advanceTo(addDays(due, -2)));
    const { payment } = await read(id);
    const refused = { outcome: 'refused', reason: 'AM02' };
    assert.equal((await shop.post(`/sandbox/payments/${payment.id}/simulate`, refused)).status, 200);
    assert.equal((await read(id)).status, 'payment_refused');
    await withLostAnswers(service, () => advanceTo(addDays(due, 1)));
    assert.deepEqual((await read(id)).status, 'payment_approved');
    const [, invoice] = await invoices(shop, id);
    assert.deepEqual(
      invoice!.payments.map(({ status, billing_date }: Json) => [status, billing_date]),
      [
        ['refused', due],
        ['paid', addDays(due, 1)],
      ],
    );
    await assertAcquirerAgrees(service, shop.account);
  });
});

describe('a cancellation', () => {
  test('whose answer is lost ends the mandate at the acquirer, and is answered with canceled', async () => {
    const { id } = await authorized(shop);
    const { status, body } = await withLostAnswers(service, () => shop.post('/subscriptions/cancel', { id }));
    assert.deepEqual([status, body.status], [200, 'canceled']);
    const before = await story(shop);
    assert.equal(await reconcile(service), 1);
    assert.equal(await mandateAtAcquirer(id), 'canceled');
    assert.deepEqual(await story(shop), before, 'the late answer makes no event');
    assertRefused(await shop.post(`/sandbox/subscriptions/${id}/cancel-mandate`, {}), 'status');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('of a charge that was sent withdraws it also if the answers are lost', async () => {
    const { id } = await authorized(shop);
    const due = nextDue();
    await advanceTo(addDays(due, -1));
    await withLostAnswers(service, () => shop.post('/subscriptions/cancel', { id }));
    assert.equal(await reconcile(service), 2);
    const { status, payment } = await read(id);
    assert.deepEqual([status, payment.status], ['canceled', 'canceled']);
    assert.equal(await mandateAtAcquirer(id), 'canceled');
    await advanceTo(addDays(due, 1));
    assert.equal((await read(id)).successful_charges, 1);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('before the payer has decided cancels the QR code also if the answer is lost', async () => {
    for (const trial_days of [0, 7]) {
      const { id } = await requested(shop, { trial_days });
      await withLostAnswers(service, () => shop.post('/subscriptions/cancel', { id }));
      await reconcile(service);
      service.setAhead(0);
      const { status, payment } = await read(id);
      assert.deepEqual([status, payment.status], ['ended', 'canceled']);
      assertRefused(await shop.post(`/sandbox/subscriptions/${id}/authorize`), 'status');
    }
    await assertAcquirerAgrees(service, shop.account);
  });
});

describe('an operation without an outcome that a step of the clock waits for', () => {
  const lost = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;

  /** A canceled subscription whose mandate, or whose charge, is canceled after the outcome of its request. */
  const WAITING: Record<string, (losing: () => void) => Promise<unknown>> = {
    'the cancellation of a mandate': async (losing) => {
      losing();
      const { id } = await requested(shop, { trial_days: 7 });
      await shop.post('/subscriptions/cancel', { id });
    },
    'the cancellation of a charge': async (losing) => {
      const { id } = await authorized(shop);
      losing();
      await advanceTo(addDays(nextDue(), -1));
      await shop.post('/subscriptions/cancel', { id });
    },
  };
  for (const [step, make] of Object.entries(WAITING)) {
    /** Advances the clock by a year. Returns the steps, and how often the clock has stopped. */
    async function yearAfter(answers: (count: number) => boolean) {
      let inquiries: number | null = null;
      let stops = 0;
      let undo = () => {};
      const counted = interceptNextDue(service, (real) => {
        stops += 1;
        return real();
      });
      try {
        await make(() => {
          const lose = (real: Acquirer) => ({
            ...{ mandate: lost, mandate_charge: lost },
            inquire: (inquiry: Inquiry) => {
              if (inquiries !== null) inquiries += 1;
              return inquiries !== null && answers(inquiries) ? real.inquire(inquiry) : lost();
            },
          });
          undo = service.intercept(lose).undo;
        });
        [inquiries, stops] = [0, 0];
        const began = await clockNow(shop);
        return { steps: (await advance(shop, { days: 365 })).steps, stops, began };
      } finally {
        undo();
        counted.undo();
      }
    }

    test(`${step} does not delay an advance of a year while the acquirer does not answer`, async () => {
      const { steps, stops } = await yearAfter(() => false);
      assert.ok(stops < 200, `${stops} stops`);
      assert.ok(!stepNames({ steps }).some((name) => name.startsWith('reconcile_')));
    });

    test(`the acquirer is asked for the outcome before ${step}, although the clock stays at the same time`, async () => {
      const { steps, began } = await yearAfter((count) => count > 1);
      assert.match(steps[0].step, /^reconcile_mandate/);
      assert.ok(Date.parse(steps[0].at) < began + HOUR_MS, steps[0].at);
    });
  }
});
