import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { cardRefusal } from '../../../domain/payments/refusal-reasons.ts';
import type { CommandOf } from '../../../gateway/acquirer.ts';
import { advance, advanceBy, DAY_MS, HOUR_MS, MINUTE_MS, stepNames } from '../../support/clock-calls.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import {
  after,
  askedOf,
  dieBeforeTheAcquirer,
  lastEvents,
  RESERVED,
  runJobs,
} from '../../support/payments/due-authorizations.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../../support/wallet/wallet-shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

const CAPTURE_FAILS = '4000000000001174';

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
    assert.deepEqual(await lastEvents(shop, payment.id, 1), ['payment.capture_confirmed']);
  });

  test('is captured once it is known that the acquirer has not received the capture', async () => {
    const { id } = await delayed(24);
    await dieBeforeTheAcquirer(service, 'capture', DUE);
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
    await runJobs(service, DUE + 3 * MINUTE_MS);
    assert.equal((await shop.payment(id)).status, 'paid');
    assert.deepEqual(await shop.eventNames(id), [...RESERVED, 'payment.capture_confirmed']);
    assert.deepEqual(await askedOf(shop, id), ['capture']);
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
    await runJobs(service, DUE + MINUTE_MS);
    await reconcile(service, DUE + 3 * HOUR_MS);
    assert.equal((await shop.payment(id)).status, 'processing');
    outage.undo();
    await reconcile(service, DUE + 5 * HOUR_MS);
    await runJobs(service, DUE + 5 * HOUR_MS);
    assert.deepEqual(await shop.eventNames(id), [
      ...RESERVED,
      'payment.updated',
      'payment.updated',
      'payment.capture_confirmed',
    ]);
  });

  test('is voided if the authorization ends before the acquirer receives the capture', async () => {
    const { id } = await delayed(167);
    await dieBeforeTheAcquirer(service, 'capture', 7 * DAY_MS - 2 * MINUTE_MS);
    assert.deepEqual(await lastEvents(shop, id, 1), ['payment.capture_failed']);
    await runJobs(service, 7 * DAY_MS + MINUTE_MS);
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
    assert.deepEqual(await lastEvents(shop, payment.id, 3), [
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
    await runJobs(service, DUE + MINUTE_MS);
    await runJobs(service, DUE + 90 * MINUTE_MS);
    assert.deepEqual(await askedOf(shop, payment.id), []);
    const waiting = await service.rows<{ updated_at: Date }>(
      'select updated_at from payments where merchant_id = :account and id = :id',
      { account: shop.account, id: payment.id },
    );
    assert.equal(waiting[0]!.updated_at.getTime(), Date.parse(payment.updated_at));
    await approve();
    await runJobs(service, DUE + 3 * HOUR_MS);
    assert.deepEqual(await shop.eventNames(payment.id), [...RESERVED, 'payment.capture_confirmed']);
  });

  test('is voided at its end if the merchant is still suspended', async () => {
    const payment = await delayed(24);
    await shop.suspend();
    await runJobs(service, 7 * DAY_MS - MINUTE_MS);
    await runJobs(service, 7 * DAY_MS + MINUTE_MS);
    await approve();
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
    assert.deepEqual(await askedOf(shop, payment.id), ['cancel']);
  });
});

function refused({ method, amount_centavos }: CommandOf<'capture'>, code: string) {
  const refusal = cardRefusal(code);
  return { kind: 'refused', operation: 'capture', method, amount_centavos, refusal } as const;
}

async function approve(): Promise<void> {
  const { account } = shop;
  await service.rows("update merchants set status = 'approved' where merchant_id = :account", { account });
}
