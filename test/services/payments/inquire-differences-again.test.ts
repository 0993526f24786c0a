/** Inquiries about settlement lines whose answers leave something open: the acquirer is asked again. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openSettlementGaps } from '../../../db/payments/discrepancies.ts';
import { bankSlipExpiry } from '../../../domain/payments/bank-slip.ts';
import type { InquiryOutcome } from '../../../gateway/acquirer.ts';
import { closeDiscrepancy } from '../../../services/payments/close-discrepancy.ts';
import { advance, DAY_MS, HOUR_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { loseAnswers } from '../../support/payments/acquirer-calls.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { loseNotifications, stopLosing } from '../../support/payments/lost-notifications.ts';
import {
  answering,
  compareDay,
  compareToday,
  simulateSilently,
  todayOf,
} from '../../support/payments/settlement-inquiries.ts';
import { inquireDifferences } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** Other tests move the clock of the service, and must not find more. */
afterEach(() => service.rows('update discrepancies set inquire_at = null'));

const asIs = (real: InquiryOutcome) => real;
const silent = () => ({ kind: 'unknown', cause: 'time_out' }) as const;
const unreadable = (real: InquiryOutcome): InquiryOutcome =>
  real.kind === 'approved' ? { ...real, charge: { state: 'unreadable' } } : real;
const withoutDisputes = (real: InquiryOutcome): InquiryOutcome =>
  real.kind === 'approved' ? { ...real, disputes: [] } : real;
const disputesCut = (real: InquiryOutcome): InquiryOutcome => {
  if (real.kind !== 'approved') return real;
  const { disputes: _, ...rest } = real;
  return { ...rest, areDisputesCut: true };
};
/** The dispute before was never reported. */
const afterOther = (real: InquiryOutcome): InquiryOutcome =>
  real.kind === 'approved'
    ? {
        ...real,
        disputes: real.disputes!.map((one) => ({
          ...one,
          dispute: { ...one.dispute, previousReference: 'other' },
        })),
      }
    : real;

/** Returns how often the acquirer was asked. */
const inquire = async (change: (real: InquiryOutcome) => InquiryOutcome) =>
  (await answering(service, change, () => inquireDifferences(service.deps))).length;
const discrepancies = async () =>
  (await discrepanciesOf(service, shop.account)).map(({ reason, status }) => `${reason} ${status}`);
const statusOf = async ({ id }: Json) => (await shop.payment(id)).status;
const warnings = () =>
  service.log.filter(({ level, fields }) => level === 'warn' && fields.merchant_id === shop.account);

async function disputedPayment(): Promise<Json> {
  const payment = await shop.cardPayment();
  await simulateSilently(shop, payment, 'chargeback_requested');
  await compareToday(shop);
  return payment;
}

async function paidBankSlip(): Promise<Json> {
  const payment = await shop.bankSlipPayment();
  await advance(shop, { to: bankSlipExpiry(payment.bank_slip.due_at).toISOString() });
  await simulateSilently(shop, payment, 'paid');
  await compareToday(shop);
  return payment;
}

/** A boleto that was paid when its subscription was unpaid. A card charges the same cycle now. */
async function cycleBeingCharged(): Promise<Json> {
  const { id, customer_id, payment } = await created(
    subscribe(shop, issuedBody({ payment_method: 'bank_slip' })),
  );
  const read = (): Promise<Json> => shop.get(`/subscriptions/${id}`);
  for (let days = 0; (await read()).status !== 'unpaid'; days += 1) {
    assert.ok(days < 30);
    await advance(shop, { days: 1 });
  }
  await simulateSilently(shop, payment, 'paid');
  const spy = service.intercept(() => ({ authorize: async () => silent() }));
  const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id) } };
  const changed = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
  spy.undo();
  assert.equal(changed.body.payment.status, 'processing', changed.text);
  return payment;
}

describe('the acquirer is asked again', () => {
  test('about a dispute that waits for the one before, which is then not awaited any more', async () => {
    const payment = await disputedPayment();
    assert.equal(await inquire(afterOther), 1);
    assert.equal(await statusOf(payment), 'paid');
    service.setAhead(9 * MINUTE_MS);
    assert.equal(await inquire(afterOther), 0);
    service.setAhead(11 * MINUTE_MS);
    assert.equal(await inquire(afterOther), 1);
    assert.equal(await statusOf(payment), 'chargeback_requested');
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
  });

  test('about a charge whose state cannot be read, until it can', async () => {
    const payment = await paidBankSlip();
    assert.equal(await inquire(unreadable), 1);
    service.setAhead(11 * MINUTE_MS);
    assert.equal(await inquire(asIs), 1);
    assert.equal(await statusOf(payment), 'paid');
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
  });

  test('for an hour after the first time about a charge of a cycle that is being charged', async () => {
    const payment = await cycleBeingCharged();
    await compareToday(shop);
    const ofCharge = async () => (await discrepancies()).filter((one) => one.startsWith('cycle_charged'));
    for (const [after_ms, expected] of [
      [2 * HOUR_MS, []],
      [2 * HOUR_MS + 49 * MINUTE_MS, []],
      [3 * HOUR_MS, ['cycle_charged open']],
    ] as const) {
      service.setAhead(after_ms);
      assert.equal(await inquire(asIs), 1);
      assert.deepEqual(await ofCharge(), expected);
    }
    assert.equal(await statusOf(payment), 'expired');
  });

  test('about a payment whose operation has no outcome yet', async () => {
    await loseNotifications(shop);
    const lost = loseAnswers(service);
    const payment = await shop.cardPayment();
    lost.undo();
    await stopLosing(shop);
    await compareToday(shop);
    assert.equal(await inquire(asIs), 1);
    assert.equal(await statusOf(payment), 'processing');
    service.setAhead(11 * MINUTE_MS);
    assert.equal(await inquire(asIs), 1);
    assert.deepEqual(await discrepancies(), ['settlement_unknown open']);
  });

  test('while other payments of the merchant have results', async () => {
    const [slip, payment] = [await paidBankSlip(), await disputedPayment()];
    const onlySlip = (real: InquiryOutcome) =>
      real.kind === 'approved' && real.method === 'bank_slip' ? unreadable(real) : real;
    assert.equal(await inquire(onlySlip), 2);
    assert.equal(await statusOf(slip), 'expired');
    assert.equal(await statusOf(payment), 'chargeback_requested');
  });
});

test('the acquirer is not asked about a capture or a refund that comes twice', async () => {
  const { id, amount } = await shop.cardPayment();
  await created(shop.refund(id, 100));
  const [refund] = await service.rows<{ reference: string }>(
    'select reference from refunds where payment_id = :id',
    { id },
  );
  const [payment, refunded] = [await shop.reference(id), refund!.reference];
  const occurredAt = new Date();
  const doubled = [
    { reference: payment, type: 'capture', amount_centavos: amount, occurredAt },
    { reference: refunded, type: 'refund', amount_centavos: 100, occurredAt },
  ] as const;
  for (const _ of ['first', 'repeated']) {
    const found = await compareToday(shop, doubled);
    assert.deepEqual(found, ['settlement_doubled capture', 'settlement_doubled refund']);
    assert.equal(await inquire(asIs), 0);
  }
});

describe('after a comparison that is repeated', () => {
  test('the acquirer is asked again about a line that is open', async () => {
    const payment = await disputedPayment();
    assert.equal(await inquire(withoutDisputes), 1);
    service.setAhead(HOUR_MS);
    assert.equal(await inquire(asIs), 0);
    assert.deepEqual(await compareToday(shop), ['settlement_unknown dispute']);
    assert.equal(await inquire(asIs), 1);
    assert.equal(await statusOf(payment), 'chargeback_requested');
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
  });

  test('the acquirer is asked for another week', async () => {
    const day = await todayOf(shop);
    await disputedPayment();
    assert.equal(await inquire(silent), 1);
    service.setAhead(8 * DAY_MS);
    assert.equal(await inquire(silent), 0);
    assert.deepEqual(await compareDay(shop, day), ['settlement_unknown dispute']);
    for (const [days, asked] of [
      [8, 1],
      [14, 1],
      [16, 0],
    ] as const) {
      service.setAhead(days * DAY_MS);
      assert.equal(await inquire(silent), asked);
    }
    assert.equal(warnings().length, 2);
  });

  test('a line about which the acquirer is asked anyway keeps its time', async () => {
    await disputedPayment();
    assert.equal(await inquire(silent), 1);
    assert.deepEqual(await compareToday(shop), ['settlement_unknown dispute']);
    assert.equal(await inquire(asIs), 0);
    service.setAhead(11 * MINUTE_MS);
    assert.equal(await inquire(asIs), 1);
  });

  test('the acquirer is not asked about a line that a person has closed', async () => {
    await disputedPayment();
    const [found] = await discrepanciesOf(service, shop.account);
    await closeDiscrepancy(service.deps, found!.id, 'It was found.');
    assert.deepEqual(await compareToday(shop), ['settlement_unknown dispute']);
    assert.equal(await inquire(asIs), 0);
  });
});

test('only the differences of the references of a payment are read', async () => {
  const payment = await disputedPayment();
  await disputedPayment();
  const { merchant } = shop.onboarded;
  const reference = await shop.reference(payment.id);
  const read = (references: string[]) =>
    service.deps.db.transaction(merchant, (tx) => openSettlementGaps(tx, merchant, references));
  const found = (await read([reference])).map((one) => [one.type, one.reference]);
  assert.deepEqual(found, [['dispute', reference]]);
  assert.deepEqual(await read([]), []);
});

describe('after a week', () => {
  for (const [name, begin, answer] of [
    ['no answer', paidBankSlip, silent],
    ['an answer that cannot be read', paidBankSlip, unreadable],
    ['an answer whose disputes cannot be read', disputedPayment, disputesCut],
  ] as const) {
    test(`of ${name}, the acquirer is not asked any more, and a warning is logged`, async () => {
      await begin();
      assert.equal(await inquire(answer), 1);
      service.setAhead(6 * DAY_MS);
      assert.equal(await inquire(answer), 1);
      assert.deepEqual(warnings(), []);
      service.setAhead(8 * DAY_MS);
      assert.equal(await inquire(answer), 0);
      assert.deepEqual(
        warnings().map(({ message }) => message),
        ['the acquirer is not asked about a settlement line any more'],
      );
      service.setAhead(9 * DAY_MS);
      assert.equal(await inquire(asIs), 0);
      assert.deepEqual(await discrepancies(), ['settlement_unknown open']);
    });
  }

  test('the acquirer is asked all the same if it was not asked before', async () => {
    const payment = await disputedPayment();
    service.setAhead(8 * DAY_MS);
    assert.equal(await inquire(asIs), 1);
    assert.equal(await statusOf(payment), 'chargeback_requested');
    assert.deepEqual(await discrepancies(), ['settlement_unknown closed']);
  });

  test('the same if its first answer is lost', async () => {
    const payment = await disputedPayment();
    service.setAhead(8 * DAY_MS);
    assert.equal(await inquire(silent), 1);
    service.setAhead(8 * DAY_MS + 11 * MINUTE_MS);
    assert.equal(await inquire(asIs), 1);
    assert.equal(await statusOf(payment), 'chargeback_requested');
    assert.deepEqual(warnings(), []);
  });
});
