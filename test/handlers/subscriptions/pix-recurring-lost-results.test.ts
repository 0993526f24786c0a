/** Pix recurring charges whose result is never notified: the service asks the acquirer for it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { advance, stepNames } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { leaveOpen, loseNotifications, stopLosing } from '../../support/payments/lost-notifications.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { authorized, endMandate, scriptCharges } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices } from '../../support/subscriptions/subscription-calls.ts';

const MIGRATION = new URL('../../../db/migrations/124-results-of-charges-by-mandates.sql', import.meta.url);

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** A subscription whose second charge was sent, and of which no notification arrives any more. */
async function sentInSilence(terms: object = {}, ...outcomes: string[]): Promise<Json> {
  const { id, customer_id } = await authorized(shop, {}, { terms });
  if (outcomes.length > 0) await scriptCharges(shop, customer_id, ...outcomes);
  await advanceTo(addDays(month(1), -1));
  await loseNotifications(shop);
  const sent = await read(id);
  assert.equal(sent.payment.status, 'waiting_payment');
  return sent;
}

async function charges(id: string): Promise<unknown[]> {
  const [, invoice] = await invoices(shop, id);
  return invoice!.payments.map(({ status, billing_date }: Json) => [status, billing_date]);
}

/** Runs `work` while the acquirer answers no inquiry. Returns how many it got. */
async function withoutAnswers(work: () => Promise<unknown>): Promise<number> {
  let asked = 0;
  const spy = service.intercept(() => ({
    inquire: async () => {
      asked += 1;
      return { kind: 'unknown', cause: 'time_out' };
    },
  }));
  await work().finally(spy.undo);
  return asked;
}

/** The id of the transfer that paid a charge. */
async function transferOf(id: string): Promise<string> {
  const sql = `select details ->> 'endToEndId' as transfer from payments where merchant_id = :account and id = :id`;
  const [row] = await service.rows<{ transfer: string }>(sql, { account: shop.account, id });
  return row!.transfer;
}

describe('a charge by a mandate whose result is not notified', () => {
  test('is paid after 3 days if it is paid at the acquirer, once', async () => {
    const { id, payment } = await sentInSilence();
    const { steps } = await advanceTo(addDays(month(1), 3));
    assert.deepEqual(stepNames({ steps }), ['inquire_pix_recurring']);
    const paid = await read(id);
    assert.deepEqual(
      [paid.status, paid.successful_charges, paid.payment.status],
      ['payment_approved', 2, 'paid'],
    );
    assert.match(await transferOf(payment.id), /^E/);
    assert.deepEqual(await shop.eventNames(payment.id), ['payment.capture_confirmed']);
    await assertAcquirerAgrees(service, shop.account);
    await stopLosing(shop);
    await advanceTo(month(2));
    assert.equal((await read(id)).successful_charges, 3);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is asked for too if an earlier version has sent it', async () => {
    const { payment } = await sentInSilence();
    await service.rows('update payments set due_at = null where merchant_id = :account', {
      account: shop.account,
    });
    await service.rows(await readFile(MIGRATION, 'utf8'));
    await advanceTo(addDays(month(1), 3), '05:59');
    assert.equal((await shop.payment(payment.id)).status, 'waiting_payment');
    await advanceTo(addDays(month(1), 3));
    assert.equal((await shop.payment(payment.id)).status, 'paid');
  });

  test('makes a later notification known', async () => {
    const { payment } = await sentInSilence();
    await advanceTo(addDays(month(1), 3));
    const paid = notification(shop.account, await shop.reference(payment.id), 'pix_recurring.paid', {
      amount_centavos: payment.amount,
      end_to_end_id: await transferOf(payment.id),
    });
    assert.equal(await deliver(service, paid), 204);
    assert.deepEqual(await discrepanciesOf(service, shop.account), []);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is refused if it is refused at the acquirer, and retried', async () => {
    const { id } = await sentInSilence({ retry_policy: true }, 'AM02');
    await advanceTo(addDays(month(1), 3));
    const { status, payment } = await read(id);
    assert.equal(status, 'payment_refused');
    assert.equal((await shop.payment((await invoices(shop, id))[1]!.payments[0].id)).refusal.code, 'AM02');
    assert.notEqual(payment.status, 'waiting_payment');
    await stopLosing(shop);
    await advanceTo(addDays(month(1), 8));
    assert.deepEqual(await charges(id), [
      ['refused', month(1)],
      ['paid', addDays(month(1), 7)],
    ]);
    await advanceTo(month(2));
    assert.equal((await read(id)).successful_charges, 3);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is given up if it is refused for good', async () => {
    const { id } = await sentInSilence({ retry_policy: true }, 'AC05');
    await advance(shop, { days: 10 });
    const [, invoice] = await invoices(shop, id);
    assert.deepEqual([invoice!.status, (await read(id)).status], ['uncollectible', 'payment_refused']);
    assert.deepEqual(await charges(id), [['refused', month(1)]]);
  });

  test('waits while the acquirer answers no inquiry, which the clock survives', async () => {
    const { id } = await sentInSilence();
    const asked = await withoutAnswers(() => advance(shop, { days: 10 }));
    assert.ok(asked > 3 && asked < 20, `${asked} inquiries`);
    assert.deepEqual(await charges(id), [['waiting_payment', month(1)]], 'no second charge');
    assert.ok(service.log.some(({ message }) => message === 'a charge by a mandate has no result'));
    await advance(shop, { days: 2 });
    assert.deepEqual(await charges(id), [['paid', month(1)]]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('that is still open is canceled at the acquirer, and retried', async () => {
    const { id, payment } = await sentInSilence({ retry_policy: true });
    await leaveOpen(shop, payment.id);
    const { steps } = await advanceTo(addDays(month(1), 3));
    assert.deepEqual(stepNames({ steps }).slice(0, 2), ['inquire_pix_recurring', 'cancel_pix_recurring']);
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
    await stopLosing(shop);
    await advanceTo(addDays(month(1), 7));
    assert.equal((await read(id)).successful_charges, 2);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('that is still open and cannot be canceled stays open, with one event for each reason', async () => {
    const { id, payment } = await sentInSilence({ retry_policy: true });
    await leaveOpen(shop, payment.id);
    const refusing = (code: string) =>
      service.intercept(() => ({
        cancel: async ({ method, amount_centavos }) => ({
          ...{ kind: 'refused', operation: 'cancel', method, amount_centavos },
          refusal: { code, message: 'No.', retryable: false },
        }),
      }));
    const cancelFailures = async () =>
      (await shop.eventNames(payment.id)).filter((name) => name === 'payment.cancel_failed').length;
    const lost = service.intercept(() => ({ cancel: async () => ({ kind: 'unknown', cause: 'time_out' }) }));
    await advance(shop, { days: 5 }).finally(lost.undo);
    assert.equal(await cancelFailures(), 0, 'the acquirer has received none');
    const refused = refusing('processing_error');
    const { steps } = await advance(shop, { days: 6 }).finally(refused.undo);
    assert.ok(stepNames({ steps }).filter((step) => step === 'cancel_pix_recurring').length > 3);
    assert.deepEqual(await charges(id), [['waiting_payment', month(1)]]);
    assert.equal(await cancelFailures(), 1);
    const refusedAgain = refusing('not_cancelable');
    await advance(shop, { days: 4 }).finally(refusedAgain.undo);
    assert.equal(await cancelFailures(), 2);
    await advance(shop, { days: 2 });
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('that cannot be canceled, which is known only later each time, is no news either', async () => {
    const { id, payment } = await sentInSilence({ retry_policy: true });
    await leaveOpen(shop, payment.id);
    const refused = service.intercept((real) => ({
      cancel: async () => ({ kind: 'unknown', cause: 'time_out' }),
      inquire: async (inquiry) => {
        const outcome = await real.inquire(inquiry);
        if (outcome.kind !== 'not_found') return outcome;
        const subject = {
          operation: 'cancel',
          method: 'pix_recurring',
          amount_centavos: payment.amount,
        } as const;
        const refusal = { code: 'not_cancelable', message: 'No.', retryable: false };
        return { kind: 'refused', ...subject, refusal };
      },
    }));
    await advance(shop, { days: 9 }).finally(refused.undo);
    assert.deepEqual(await charges(id), [['waiting_payment', month(1)]]);
    const names = await shop.eventNames(payment.id);
    assert.deepEqual(names.slice(0, 2), ['payment.updated', 'payment.cancel_failed']);
    assert.deepEqual([...new Set(names.slice(2))], ['payment.updated']);
  });

  test('is not paid by an answer with another amount, which is a discrepancy', async () => {
    const { payment } = await sentInSilence();
    const spy = service.intercept((real) => ({
      inquire: async (inquiry) => {
        const outcome = await real.inquire(inquiry);
        if (outcome.kind !== 'approved' || outcome.charge?.state !== 'paid') return outcome;
        return { ...outcome, charge: { ...outcome.charge, amount_centavos: 1 } };
      },
    }));
    await advance(shop, { days: 6 }).finally(spy.undo);
    assert.equal((await shop.payment(payment.id)).status, 'waiting_payment');
    assert.deepEqual(
      (await discrepanciesOf(service, shop.account)).map(({ source, reason }) => [source, reason]),
      [['inquiry', 'amount_mismatch']],
    );
  });
});

describe('a charge by a mandate that the payer ends, without a notification of its end', () => {
  /** The acquirer reports that the mandate has ended, and nothing else. */
  async function endInSilence({ id, payment }: Json): Promise<Json> {
    const notified = await service.rows<{ reference: string }>(
      'select m.reference from mandates m where m.merchant_id = :account and m.subscription_id = :id',
      { account: shop.account, id },
    );
    assert.equal((await shop.post(`/sandbox/subscriptions/${id}/cancel-mandate`, {})).status, 200);
    const [first] = (await shop.get(`/payments?subscription_id=${id}`)).data.slice(-1);
    const canceled = notification(shop.account, notified[0]!.reference, 'mandate.canceled', {
      amount_centavos: first.amount,
      mandate: { charge_code: payment.pix_recurring.charge_code, cancellation_code: 'ACCL' },
    });
    assert.equal(await deliver(service, canceled), 204);
    return read(id);
  }

  test('is canceled at once if it can be withdrawn', async () => {
    const subscription = await sentInSilence();
    assert.equal((await endInSilence(subscription)).status, 'canceled');
    await runPaymentSteps(service.deps);
    assert.equal((await shop.payment(subscription.payment.id)).status, 'canceled');
    const names = await shop.eventNames(subscription.payment.id);
    assert.ok(!names.includes('payment.cancel_failed'), names.join());
    await advance(shop, { days: 40 });
    assert.equal((await read(subscription.id)).status, 'ended');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is canceled when its result is due if it could no longer be withdrawn', async () => {
    const subscription = await sentInSilence();
    await advanceTo(addDays(month(1), -1), '23:00');
    await endInSilence(subscription);
    await advanceTo(addDays(month(1), 3));
    assert.equal((await shop.payment(subscription.payment.id)).status, 'canceled');
    const [, invoice] = await invoices(shop, subscription.id);
    assert.equal(invoice!.status, 'void');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('keeps the money if it is paid all the same', async () => {
    const subscription = await sentInSilence();
    await advanceTo(month(1), '05:00');
    await endInSilence(subscription);
    await advance(shop, { days: 10 });
    const { status, successful_charges, payment } = await read(subscription.id);
    assert.deepEqual([status, successful_charges, payment.status], ['canceled', 2, 'paid']);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('has one end if its notification arrives', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(month(1), -1));
    const { payment } = await endMandate(shop, id, 'ACCL');
    await runPaymentSteps(service.deps);
    assert.equal((await shop.payment(payment.id)).status, 'canceled');
    assert.deepEqual(await discrepanciesOf(service, shop.account), []);
    await assertAcquirerAgrees(service, shop.account);
  });
});
