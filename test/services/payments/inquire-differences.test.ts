/** Changes whose notifications are lost: the settlement file names them, and an inquiry finds what has happened. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { bankSlipExpiry } from '../../../domain/payments/bank-slip.ts';
import type { InquiryOutcome } from '../../../gateway/acquirer.ts';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import { reconcileDay } from '../../../services/payments/reconcile-day.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import {
  answering as answeringOf,
  compareToday,
  simulateSilently,
} from '../../support/payments/settlement-inquiries.ts';
import { inquireDifferences } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop, statusesOf } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const UNKNOWN = { kind: 'unknown', cause: 'time_out' } as const;
const CLOSED = 'Closed by the service: the settlement files and the ledger now agree.';

const compare = () => compareToday(shop);
const silently = (payment: Json, ...outcomes: SimulatedOutcome[]) =>
  simulateSilently(shop, payment, ...outcomes);
const answering = (change: (real: InquiryOutcome) => InquiryOutcome, work: () => Promise<unknown>) =>
  answeringOf(service, change, work);

/** The reason and status of each discrepancy. */
const discrepancies = async () =>
  (await discrepanciesOf(service, shop.account)).map(({ reason, status }) => `${reason} ${status}`);

const disputesOf = async ({ id }: Json): Promise<Json[]> =>
  (await shop.get(`/disputes?payment_id=${id}`)).data.reverse();

describe('a dispute that was not notified', () => {
  afterEach(() => assertAcquirerAgrees(service, shop.account));

  test('is opened, and the discrepancy is closed', async () => {
    const payment = await shop.cardPayment({ amount: 10_000 });
    await created(shop.refund(payment.id, 2_500));
    await silently(payment, 'chargeback_requested');
    assert.equal((await shop.payment(payment.id)).status, 'partially_refunded');
    assert.deepEqual(await compare(), ['settlement_unknown dispute']);

    assert.equal(await inquireDifferences(service.deps), 1);
    assert.equal((await shop.payment(payment.id)).status, 'chargeback_requested');
    const [dispute, ...more] = await disputesOf(payment);
    assert.deepEqual([dispute?.amount, dispute?.status, dispute?.reason], [7_500, 'requested', 'fraudulent']);
    assert.deepEqual(more, []);
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
    const [closed] = await service.rows<{ note: string }>(
      'select note from discrepancies where merchant_id = :account',
      { account: shop.account },
    );
    assert.equal(closed?.note, CLOSED);
    assert.deepEqual(await compare(), []);
    assert.equal(await inquireDifferences(service.deps), 0);
  });

  test('is opened and ended, each with its event', async () => {
    const payment = await shop.cardPayment();
    await silently(payment, 'chargeback_requested', 'chargeback_dispute', 'chargeback_won');
    assert.deepEqual(await compare(), ['settlement_unknown dispute', 'settlement_unknown dispute_reversed']);
    await inquireDifferences(service.deps);
    assert.deepEqual(statusesOf(await shop.payment(payment.id)).slice(-4), [
      'paid',
      'chargeback_requested',
      'chargeback_dispute',
      'paid',
    ]);
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed', 'settlement_unknown closed']);
    assert.equal((await disputesOf(payment))[0]?.status, 'won');
  });

  test('is ended if only its end was not notified', async () => {
    const payment = await shop.cardPayment();
    await shop.simulate(payment.id, 'chargeback_requested');
    await shop.simulate(payment.id, 'chargeback_dispute');
    const events = await shop.eventNames(payment.id);
    await silently(payment, 'chargeback_won');
    assert.deepEqual(await compare(), ['settlement_unknown dispute_reversed']);
    await inquireDifferences(service.deps);
    assert.equal((await shop.payment(payment.id)).status, 'paid');
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
    assert.equal((await shop.eventNames(payment.id)).length, events.length + 1, 'nothing is repeated');
  });

  test('is opened if it is the second one of the payment', async () => {
    const payment = await shop.cardPayment();
    await shop.simulate(payment.id, 'chargeback_requested');
    await shop.simulate(payment.id, 'chargeback_won');
    await silently(payment, 'chargeback_requested');
    assert.deepEqual(await compare(), ['settlement_doubled dispute']);
    await inquireDifferences(service.deps);
    assert.deepEqual(
      (await disputesOf(payment)).map(({ status }) => status),
      ['won', 'requested'],
    );
    assert.deepEqual(await discrepancies(), ['settlement_doubled closed']);
    await shop.simulate(payment.id, 'chargeback_lost');
    assert.equal((await shop.payment(payment.id)).status, 'chargeback_lost');
  });

  test('is opened and won with what was left after a refund that came later, and the file agrees', async () => {
    const payment = await shop.cardPayment({ amount: 10_000 });
    await silently(payment, 'chargeback_requested', 'chargeback_won');
    await created(shop.refund(payment.id, 2_500));
    await compare();
    await inquireDifferences(service.deps);
    assert.deepEqual(
      (await disputesOf(payment)).map(({ amount, status }) => [amount, status]),
      [[7_500, 'won']],
    );
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed', 'settlement_unknown closed']);
    assert.deepEqual(await compare(), []);
    assert.equal((await shop.payment(payment.id)).status, 'partially_refunded');
  });

  test('is opened once by two workers, and the notifications that come later are known', async () => {
    const payment = await shop.cardPayment();
    await silently(payment, 'chargeback_requested', 'chargeback_won');
    await compare();
    await using other = await startTestService({ beside: service, jobs: false });
    await Promise.all([inquireDifferences(service.deps), inquireDifferences(other.deps)]);
    const before = await shop.payment(payment.id);
    assert.equal(before.status, 'paid');
    const [dispute] = await service.rows<{ id: string }>(
      'select acquirer_reference as id from disputes where payment_id = :id',
      payment,
    );
    for (const type of ['chargeback.requested', 'chargeback.won'] as const) {
      const late = notification(shop.account, await shop.reference(payment.id), type, {
        ...{ amount_centavos: payment.amount, dispute: dispute! },
      });
      assert.equal(await deliver(service, late), 204);
    }
    assert.equal((await disputesOf(payment)).length, 1);
    assert.deepEqual(await shop.payment(payment.id), before);
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed', 'settlement_unknown closed']);
  });
});

describe('a boleto that was paid after its expiry, and was not notified', () => {
  test('is paid, and the discrepancy is closed', async () => {
    const payment = await shop.bankSlipPayment();
    await advance(shop, { to: bankSlipExpiry(payment.bank_slip.due_at).toISOString() });
    assert.equal((await shop.payment(payment.id)).status, 'expired');
    await silently(payment, 'paid');
    assert.deepEqual(await compare(), ['settlement_unknown capture']);
    await inquireDifferences(service.deps);
    const paid = await shop.payment(payment.id);
    assert.deepEqual([paid.status, paid.captured_amount], ['paid', payment.amount]);
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
    assert.deepEqual(await compare(), []);
    await assertAcquirerAgrees(service, shop.account);
  });
});

describe('a difference stays', () => {
  test('while the acquirer does not answer, and is asked about again after ten minutes', async () => {
    const payment = await shop.cardPayment();
    const reference = await shop.reference(payment.id);
    await silently(payment, 'chargeback_requested');
    await compare();
    const work = () => inquireDifferences(service.deps);
    assert.deepEqual(await answering(() => UNKNOWN, work), [reference]);
    assert.deepEqual(await discrepancies(), ['settlement_unknown open']);
    service.setAhead(9 * MINUTE_MS);
    assert.deepEqual(await answering((real) => real, work), []);
    service.setAhead(11 * MINUTE_MS);
    assert.deepEqual(await answering((real) => real, work), [reference]);
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
    assert.equal((await shop.payment(payment.id)).status, 'chargeback_requested');
  });

  test('if the acquirer does not report the dispute either, and is asked about once', async () => {
    const payment = await shop.cardPayment();
    await silently(payment, 'chargeback_requested');
    await compare();
    const work = () => inquireDifferences(service.deps);
    const silent = (real: InquiryOutcome) => (real.kind === 'approved' ? { ...real, disputes: [] } : real);
    assert.equal((await answering(silent, work)).length, 1);
    service.setAhead(60 * MINUTE_MS);
    assert.equal((await answering(silent, work)).length, 0);
    assert.deepEqual(await discrepancies(), ['settlement_unknown open']);
    assert.equal((await shop.payment(payment.id)).status, 'paid');
  });

  test('if the answer has another amount, which is a discrepancy too', async () => {
    const payment = await shop.cardPayment();
    await silently(payment, 'chargeback_requested');
    await compare();
    const wrong = (real: InquiryOutcome) =>
      real.kind === 'approved'
        ? { ...real, disputes: real.disputes!.map((one) => ({ ...one, amount_centavos: 1 })) }
        : real;
    await answering(wrong, () => inquireDifferences(service.deps));
    assert.deepEqual(await discrepancies(), ['settlement_unknown open', 'amount_mismatch open']);
    assert.equal((await shop.payment(payment.id)).status, 'paid');
  });

  test('if nobody knows the reference, or it is of another merchant, and no acquirer is asked', async () => {
    const theirs = await Shop.open(service);
    const payment = await theirs.cardPayment();
    const { slot, merchantId } = shop.onboarded.merchant;
    const day = merchantDay(new Date());
    const references = [await theirs.reference(payment.id), 'aaaaaaaaaaaaaaaaaaaaaaaaaa'];
    const lines = references.map((reference) => {
      return { reference, type: 'capture', amount_centavos: 1, occurredAt: new Date() } as const;
    });
    await reconcileDay(service.deps, { slot, merchantId }, { day, lines, before: [], after: [] });
    const asked = await answering(
      (real) => real,
      () => inquireDifferences(service.deps),
    );
    assert.deepEqual(asked, []);
    assert.deepEqual(await discrepancies(), ['settlement_unknown open', 'settlement_unknown open']);
  });
});
