/**
 * What the boletos of a subscription cost, and who gets the money: price ladder, credit, split, fee, and another plan.
 */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { bankSlipExpiry } from '../../../domain/payments/bank-slip.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, stepNames } from '../../support/clock-calls.ts';
import { assertLedgerAgrees } from '../../support/ledger/ledger-records.ts';
import { individualBody } from '../../support/orders/parties.ts';
import { simulated } from '../../support/payments/simulate-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody, PAYER, PAYS_ITSELF } from '../../support/subscriptions/issued-charges.ts';
import { changeNow, changePlan, offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, newOffer, story, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** The fee of a boleto, in centavos, whatever its amount is. */
const FEE = 349;
const customer = { ...PAYER, documents: [{ type: 'cpf', value: PAYS_ITSELF }] };
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);
const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** A subscription by boleto to a new offer with these prices. Its customer pays each boleto after 10 seconds. */
async function subscribedTo(cycles: object[], split: object[]): Promise<Json> {
  const offer_id = await newOffer(shop, { cycles });
  const payment = { amount: undefined, payment_method: 'bank_slip', split };
  return created(subscribe(shop, issuedBody(payment, { offer_id, customer })));
}

/** The paid boletos of a subscription, oldest first. */
async function paidBoletos(id: string): Promise<Json[]> {
  const payments = (await invoices(shop, id)).flatMap((invoice) => invoice.payments);
  return payments.filter(({ status }: Json) => status === 'paid');
}

const sharesOf = ({ amount, split, merchant_amount, fee_amount }: Json) => ({
  amount,
  shares: split.map(({ share_amount }: Json) => share_amount),
  fees: split.map((line: Json) => line.fee_amount),
  merchant_amount,
  fee_amount,
});

test('each boleto has the price of its cycle, and is shared with its own fee', async () => {
  const [first, second] = [
    await created(shop.post('/recipients', individualBody())),
    await created(shop.post('/recipients', individualBody())),
  ];
  const { id, fee } = await subscribedTo(
    [
      { start: 1, end: 1, amount: 300 },
      { start: 2, end: 3, amount: 2_990 },
      { start: 4, end: null, amount: 4_990 },
    ],
    [
      { recipient_id: first.id, type: 'percentage', amount: 40, allow_charge_processing_fee: true },
      { recipient_id: second.id, type: 'fixed', amount: 100 },
    ],
  );
  assert.deepEqual([fee.basis_points, fee.fixed_amount], [0, FEE]);
  await advanceTo(inMonths(4));
  const paid = await paidBoletos(id);
  const middle = { amount: 2_990, shares: [1_196, 100], fees: [FEE, 0], merchant_amount: 1_694 };
  const last = { amount: 4_990, shares: [1_996, 100], fees: [FEE, 0], merchant_amount: 2_894 };
  assert.deepEqual(paid.map(sharesOf), [
    // The fee is at most the amount, and a share pays at most itself.
    { amount: 300, shares: [120, 100], fees: [120, 0], merchant_amount: 80, fee_amount: 300 },
    { ...middle, fee_amount: FEE },
    { ...middle, fee_amount: FEE },
    { ...last, fee_amount: FEE },
    { ...last, fee_amount: FEE },
  ]);
  const balanceOf = async (recipient: Json) => {
    const { available, pending } = await shop.get(`/recipients/${recipient.id}/balance`);
    return available + pending;
  };
  assert.equal(await balanceOf(first), 2 * (1_196 - FEE) + 2 * (1_996 - FEE));
  assert.equal(await balanceOf(second), 5 * 100);
  await assertLedgerAgrees(service, shop.account);
});

test('a next charge that is too small for the fixed shares leaves nothing for the last one', async () => {
  const recipients = [
    await created(shop.post('/recipients', individualBody())),
    await created(shop.post('/recipients', individualBody())),
  ];
  const split = recipients.map(({ id }) => ({ recipient_id: id, type: 'fixed', amount: 708 }));
  const offer_id = await newOffer(shop, { cycles: [{ start: 1, end: null, amount: 7_000 }] });
  const payment = { amount: undefined, payment_method: 'bank_slip', split };
  const { id } = await created(
    subscribe(shop, issuedBody(payment, { offer_id, customer, next_charge_amount: 700 })),
  );
  await advanceTo(inMonths(1));
  const [, second] = await paidBoletos(id);
  assert.deepEqual(
    second.split.map(({ amount, share_amount }: Json) => [amount, share_amount]),
    [
      [700, 700],
      [0, 0],
    ],
  );
});

test('a credit lowers the next boletos, and fixed shares that no longer fit are cut', async () => {
  const recipient = await created(shop.post('/recipients', individualBody()));
  const { id } = await subscribedTo(
    [{ start: 1, end: null, amount: 9_000 }],
    [{ recipient_id: recipient.id, type: 'fixed', amount: 1_500 }],
  );
  await advanceTo(addDays(inMonths(0), 1));
  const cheaper = await newOffer(shop, { cycles: [{ start: 1, end: null, amount: 3_000 }] });
  await changeNow(shop, id, cheaper);
  const { credit_balance: credit } = await shop.get(`/subscriptions/${id}`);
  // One day of the cycle has passed, so what is left of the third cycle is less than the share on every day of the
  // year.
  assert.ok(credit > 4_500 && credit < 6_000, `a credit of ${credit}`);
  await advanceTo(inMonths(3));
  const cycles = await invoices(shop, id);
  assert.deepEqual(
    cycles.map(({ amount, credit_applied, status, payments }) => ({
      amount,
      credit_applied,
      status,
      paid: payments.map((payment: Json) => payment.amount),
    })),
    [
      { amount: 9_000, credit_applied: 0, status: 'paid', paid: [9_000] },
      { amount: 3_000, credit_applied: 3_000, status: 'paid', paid: [] },
      { amount: 3_000, credit_applied: credit - 3_000, status: 'paid', paid: [6_000 - credit] },
      { amount: 3_000, credit_applied: 0, status: 'paid', paid: [3_000] },
    ],
  );
  const shares = (await paidBoletos(id)).map(({ split }) => split[0].share_amount);
  assert.deepEqual(shares, [1_500, 6_000 - credit, 1_500]);
  await assertLedgerAgrees(service, shop.account);
});

test('a boleto that is issued again costs the same, and its fee is taken once', async () => {
  const payment = { payment_method: 'bank_slip' };
  const { id } = await created(subscribe(shop, issuedBody(payment)));
  await advanceTo(merchantDay(bankSlipExpiry(addDays(inMonths(0), 3))));
  const [{ payments }] = (await invoices(shop, id)) as [Json];
  assert.deepEqual(
    payments.map(({ status, amount, fee_amount }: Json) => [status, amount, fee_amount]),
    [
      ['expired', 4_990, null],
      ['waiting_payment', 4_990, null],
    ],
  );
  await shop.post(`/sandbox/payments/${payments[1].id}/simulate`, { outcome: 'paid' });
  const [paid] = await paidBoletos(id);
  assert.deepEqual([paid!.amount, paid!.fee_amount, paid!.merchant_amount], [4_990, FEE, 4_990]);
  await assertLedgerAgrees(service, shop.account);
});

test('another plan begins on the billing date of a boleto that is issued before, with an event', async () => {
  const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
  await simulated(shop, payment.id, 'paid');
  const offer = await offerOf(shop, 7_990);
  await changePlan(shop, id, { offer_id: offer });
  await advanceTo(addDays(inMonths(1), -5));
  const issued = await read(id);
  const { offer_id, pending_plan, payment: charge, next_charge_amount } = issued;
  assert.deepEqual([offer_id, pending_plan.offer_id, next_charge_amount], [null, offer, 7_990]);
  assert.deepEqual([charge.amount, charge.offer_id], [7_990, offer]);
  await advanceTo(inMonths(1), '05:59');
  assert.equal((await read(id)).offer_id, null);
  const before = (await story(shop)).length;
  assert.deepEqual(stepNames(await advanceTo(inMonths(1))), ['begin_plan']);
  const begun = await read(id);
  assert.deepEqual([begun.offer_id, begun.pending_plan], [offer, null]);
  assert.deepEqual((await story(shop)).slice(before), ['subscription.updated active']);
});

test('another plan begins when its first boleto is paid before, and not after a cancellation', async () => {
  const body = issuedBody({ payment_method: 'bank_slip' }, { code: 'paid' });
  const paid = await created(subscribe(shop, body));
  const canceled = await created(subscribe(shop, { ...body, code: 'canceled' }));
  const offer = await offerOf(shop, 7_990, { interval: 'quarterly' });
  for (const { id, payment } of [paid, canceled]) {
    await simulated(shop, payment.id, 'paid');
    await changePlan(shop, id, { offer_id: offer });
  }
  await advanceTo(addDays(inMonths(1), -5));
  await simulated(shop, (await read(paid.id)).payment.id, 'paid');
  const begun = await read(paid.id);
  assert.deepEqual([begun.offer_id, begun.pending_plan, begun.current_cycle], [offer, null, 2]);
  await shop.post('/subscriptions/cancel', { id: canceled.id });
  await shop.post(`/subscriptions/${canceled.id}/reactivate`);
  const { offer_id, pending_plan, next_charge_at, next_charge_amount } = await read(canceled.id);
  assert.deepEqual([offer_id, pending_plan], [null, null]);
  assert.deepEqual([next_charge_at, next_charge_amount], [inMonths(1), 4_990]);
  await advanceTo(inMonths(2));
  assert.deepEqual(
    (await invoices(shop, canceled.id)).slice(1).map(({ billing_date, amount }) => [billing_date, amount]),
    [[inMonths(1), 4_990]],
  );
});
