import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { cardRefusal } from '../../../domain/payments/refusal-reasons.ts';
import type { CommandOf } from '../../../gateway/acquirer.ts';
import { runPaymentSteps } from '../../../jobs/payments/payment-steps.ts';
import { loseAnswers, reconcile } from '../../support/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/acquirer-records.ts';
import { advance, advanceBy, DAY_MS, HOUR_MS, MINUTE_MS, stepNames } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop, statusesOf } from '../../support/shop.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../../support/wallet-shop.ts';

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
    assert.deepEqual(await askedOf(payment.id), ['cancel']);
  });

  test('is voided once it is known that the process has died before it asked the acquirer', async () => {
    const { id } = await shop.authorized();
    await dieBeforeTheAcquirer('cancel', 7 * DAY_MS);
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
    await runJobs(7 * DAY_MS + 3 * MINUTE_MS);
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
    assert.deepEqual(await lastEvents(payment.id, 3), Array(3).fill('payment.cancel_failed'));
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

  test('is either captured or voided if both happen at once', async () => {
    const payments = await Promise.all(Array.from({ length: 8 }, () => shop.authorized()));
    service.setAhead(7 * DAY_MS + MINUTE_MS);
    const captures = payments.map(({ id }) => shop.capture(id));
    const jobs = Array.from({ length: 3 }, () => runPaymentSteps(service.deps));
    const answers = await Promise.all(captures);
    await Promise.all(jobs);
    await runPaymentSteps(service.deps);
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
  /** A payment by wallet that is captured after so many hours. */
  async function delayed(capture_delay_hours: number, number?: string): Promise<Json> {
    const domain = domainOf(shop);
    await verifiedDomain(shop, domain);
    const wallet = { domain, ...(number !== undefined && { number }) };
    return (await shop.placed(await walletOrderBody(shop, wallet, { capture_delay_hours }))).payment;
  }
  const DUE = 24 * HOUR_MS;

  test('is captured at its time', async () => {
    const payment = await delayed(24);
    const advanced = await advance(shop, { to: after(payment, DUE) });
    assert.deepEqual(stepNames(advanced), ['capture_browser_wallet']);
    const paid = await shop.payment(payment.id);
    assert.deepEqual([paid.status, paid.captured_amount], ['paid', 10_000]);
    assert.deepEqual(await lastEvents(payment.id, 1), ['payment.capture_confirmed']);
  });

  test('is captured once it is known that the process has died before it asked the acquirer', async () => {
    const { id } = await delayed(24);
    await dieBeforeTheAcquirer('capture', DUE);
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
    await runJobs(DUE + 3 * MINUTE_MS);
    assert.equal((await shop.payment(id)).status, 'paid');
    assert.deepEqual(await shop.eventNames(id), [...RESERVED, 'payment.capture_confirmed']);
    assert.deepEqual(await askedOf(id), ['capture']);
  });

  test('is captured after longer and longer pauses while the acquirer receives no captures', async () => {
    const payment = await delayed(24);
    const lost = service.intercept(() => ({ capture: async () => ({ kind: 'unknown', cause: 'time_out' }) }));
    const advanced = await advance(shop, { to: after(payment, DUE + 10 * MINUTE_MS) });
    lost.undo();
    assert.deepEqual(
      advanced.steps
        .filter(({ step }: Json) => step === 'capture_browser_wallet')
        .map(({ at }: Json) => Date.parse(at)),
      [0, 0, 1, 3, 7].map((minutes) => Date.parse(after(payment, DUE + minutes * MINUTE_MS))),
    );
    await advanceBy(shop, 10 * MINUTE_MS);
    assert.equal((await shop.payment(payment.id)).status, 'paid');
  });

  test('is captured after an outage of the acquirer', async () => {
    const { id } = await delayed(24);
    const unknown = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;
    const outage = service.intercept(() => ({ capture: unknown, inquire: unknown }));
    await runJobs(DUE + MINUTE_MS);
    await reconcile(service, DUE + 3 * HOUR_MS);
    assert.equal((await shop.payment(id)).status, 'processing');
    outage.undo();
    await reconcile(service, DUE + 5 * HOUR_MS);
    await runJobs(DUE + 5 * HOUR_MS);
    assert.deepEqual(await shop.eventNames(id), [
      ...RESERVED,
      'payment.updated',
      'payment.updated',
      'payment.capture_confirmed',
    ]);
  });

  test('is voided if the authorization ends before the acquirer receives the capture', async () => {
    const { id } = await delayed(167);
    await dieBeforeTheAcquirer('capture', 7 * DAY_MS - 2 * MINUTE_MS);
    assert.deepEqual(await lastEvents(id, 1), ['payment.capture_failed']);
    await runJobs(7 * DAY_MS + MINUTE_MS);
    assert.equal((await shop.payment(id)).status, 'canceled');
  });

  test('is captured every 6 hours until the acquirer does not refuse it', async () => {
    const payment = await delayed(24);
    let refusals = 2;
    const refusing = service.intercept((real) => ({
      capture: async (command) => {
        refusals -= 1;
        return refusals < 0 ? real.perform(command) : refused(command, 'processing_error');
      },
    }));
    const advanced = await advance(shop, { to: after(payment, 8 * DAY_MS) });
    refusing.undo();
    assert.deepEqual(
      advanced.steps.map(({ step, at }: Json) => [step, Date.parse(at)]),
      [24, 30, 36].map((hours) => ['capture_browser_wallet', Date.parse(after(payment, hours * HOUR_MS))]),
    );
    assert.deepEqual(await lastEvents(payment.id, 3), [
      'payment.capture_failed',
      'payment.capture_failed',
      'payment.capture_confirmed',
    ]);
  });

  test('is voided after 7 days if the acquirer refuses every capture', async () => {
    const payment = await delayed(150, CAPTURE_FAILS);
    const advanced = await advance(shop, { to: after(payment, 10 * DAY_MS) });
    const captures = Array(3).fill('capture_browser_wallet');
    assert.deepEqual(stepNames(advanced), [...captures, 'void_browser_wallet']);
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
  });

  test('is captured once if the refusal cannot be retried, and voided after 7 days', async () => {
    const payment = await delayed(24);
    const refusing = service.intercept(() => ({
      capture: async (command) => refused(command, 'account_closed'),
    }));
    const advanced = await advance(shop, { to: after(payment, 10 * DAY_MS) });
    refusing.undo();
    assert.deepEqual(stepNames(advanced), ['capture_browser_wallet', 'void_browser_wallet']);
  });

  test("is captured at its time although the acquirer has refused the merchant's own capture", async () => {
    const payment = await delayed(24);
    const refusing = service.intercept(() => ({
      capture: async (command) => refused(command, 'account_closed'),
    }));
    assert.equal((await shop.capture(payment.id)).status, 422);
    refusing.undo();
    await advance(shop, { to: after(payment, DUE) });
    assert.equal((await shop.payment(payment.id)).status, 'paid');
  });

  test('waits while the merchant is suspended', async () => {
    const payment = await delayed(24);
    await shop.suspend();
    await runJobs(DUE + MINUTE_MS);
    await runJobs(DUE + 90 * MINUTE_MS);
    assert.deepEqual(await askedOf(payment.id), []);
    const waiting = await service.rows<{ updated_at: Date }>(
      'select updated_at from payments where merchant_id = :account and id = :id',
      { account: shop.account, id: payment.id },
    );
    assert.equal(waiting[0]!.updated_at.getTime(), Date.parse(payment.updated_at));
    await approve();
    await runJobs(DUE + 3 * HOUR_MS);
    assert.deepEqual(await shop.eventNames(payment.id), [...RESERVED, 'payment.capture_confirmed']);
  });

  test('is voided at its end if the merchant is still suspended', async () => {
    const payment = await delayed(24);
    await shop.suspend();
    await runJobs(7 * DAY_MS - MINUTE_MS);
    await runJobs(7 * DAY_MS + MINUTE_MS);
    await approve();
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
    assert.deepEqual(await askedOf(payment.id), ['cancel']);
  });
});

const RESERVED = ['payment.created', 'payment.pre_authorized', 'payment.authorized'];

/** Runs what is due this long after now. */
async function runJobs(ahead_ms: number): Promise<void> {
  service.setAhead(ahead_ms);
  await runPaymentSteps(service.deps);
}

/** Runs what is due a minute after `due_ms`, dies before a command is sent, and reconciles two minutes later. */
async function dieBeforeTheAcquirer(command: 'capture' | 'cancel', due_ms: number): Promise<void> {
  const dying = service.intercept(() => ({
    [command]: async () => {
      throw new Error('The process dies.');
    },
  }));
  await runJobs(due_ms + MINUTE_MS);
  dying.undo();
  await reconcile(service, due_ms + 3 * MINUTE_MS);
}

function refused({ method, amount_centavos }: CommandOf<'capture'>, code: string) {
  const refusal = cardRefusal(code);
  return { kind: 'refused', operation: 'capture', method, amount_centavos, refusal } as const;
}

async function approve(): Promise<void> {
  const { account } = shop;
  await service.rows("update merchants set status = 'approved' where merchant_id = :account", { account });
}
