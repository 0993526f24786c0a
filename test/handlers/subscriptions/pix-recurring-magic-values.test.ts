/** Pix recurring subscriptions of customers whose CPF chooses what the sandbox does. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { MAGIC_VALUES } from '../../../gateway/simulator/magic-values.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { simulated } from '../../support/payments/simulate-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop, statusesOf } from '../../support/shop.ts';
import { issuedBody, PAYER } from '../../support/subscriptions/issued-charges.ts';
import { authorize, putPixRecurring, requested } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const PAYS_ITSELF = '99990000107';
const LOSES_ANSWERS = '99990000883';
const DISPUTED = '99990000964';
const REFUND_FAILS = '99990001006';
const REJECTS_MANDATE = '99990001189';
const REFUSES_CHARGES = '99990001260';
const REFUSES_CHARGES_FINALLY = '99990001340';
/** CPFs for which the acquirer refuses the request for the mandate, by the code of the refusal. */
const REFUSED_REQUESTS = {
  do_not_honor: '99990000298',
  insufficient_funds: '99990000379',
  processing_error: '99990000450',
  limit_exceeded: '99990000530',
  account_closed: '99990000611',
  fraud: '99990000700',
};

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const inMonths = (count: number) => billingDate({ start: today(), interval: 'monthly' }, count);
const TRIAL_DAYS = 7;
const trialEnd = () => addDays(today(), TRIAL_DAYS);

/** A new subscription of a customer with this CPF. */
async function requestedBy(cpf: string, fields: object = {}, terms: object = {}): Promise<Json> {
  const customerId = await shop.customer({ documents: [{ type: 'cpf', value: cpf }] });
  return requested(shop, fields, { customerId, terms });
}

/** Two new subscriptions of customers with this CPF: the second one has a trial. */
async function bothRequestedBy(cpf: string, terms: object = {}): Promise<[Json, Json]> {
  return [await requestedBy(cpf, {}, terms), await requestedBy(cpf, { trial_days: TRIAL_DAYS }, terms)];
}

/** Status of a subscription, and of its latest payment. */
async function states(...ids: string[]): Promise<[string, string][]> {
  const all = await Promise.all(ids.map(read));
  return all.map(({ status, payment }) => [status, payment.status]);
}

test('each CPF of the sandbox is tested here', () => {
  const listed = MAGIC_VALUES.filter(({ kind }) => kind === 'document').map(({ value }) => value);
  const tested = [
    ...[PAYS_ITSELF, LOSES_ANSWERS, DISPUTED, REFUND_FAILS],
    ...[REJECTS_MANDATE, REFUSES_CHARGES, REFUSES_CHARGES_FINALLY],
    ...Object.values(REFUSED_REQUESTS),
  ];
  assert.deepEqual(tested.sort(), listed.sort());
});

test('the amounts of the sandbox have no effect on Pix recurring', async () => {
  const { payment } = await requested(shop, {}, { amount: 99_990_002 });
  assert.equal(payment.status, 'waiting_payment');
});

describe('a request for a mandate that the acquirer refuses', () => {
  for (const [code, cpf] of Object.entries(REFUSED_REQUESTS)) {
    test(`because of ${code} is not retried, and the subscription ends with the QR code`, async () => {
      const [paying, trial] = await bothRequestedBy(cpf);
      for (const { status, payment } of [paying, trial]) {
        assert.deepEqual(
          [status, payment.status, payment.refusal.code],
          ['payment_pending', 'refused', code],
        );
      }
      await advanceBy(shop, 30 * MINUTE_MS);
      assert.deepEqual(await states(paying.id, trial.id), [
        ['ended', 'refused'],
        ['ended', 'refused'],
      ]);
      await assertAcquirerAgrees(service, shop.account);
    });
  }
});

test('a payer who rejects the mandate refuses the first payment, and the subscription ends', async () => {
  const [paying, trial] = await bothRequestedBy(REJECTS_MANDATE);
  await advanceBy(shop, MINUTE_MS);
  for (const id of [paying.id, trial.id]) {
    const { status, payment } = await read(id);
    assert.deepEqual([status, payment.status, payment.refusal.code], ['payment_pending', 'refused', 'AP13']);
  }
  await advanceBy(shop, 30 * MINUTE_MS);
  assert.deepEqual(await states(paying.id, trial.id), [
    ['ended', 'refused'],
    ['ended', 'refused'],
  ]);
});

test('a payer who pays without a tester authorizes the mandate, and pays every cycle', async () => {
  const [paying, trial] = await bothRequestedBy(PAYS_ITSELF);
  await advanceBy(shop, MINUTE_MS);
  assert.deepEqual(await states(paying.id, trial.id), [
    ['payment_approved', 'paid'],
    ['trial_started', 'AUTHORIZED'],
  ]);
  await advanceTo(inMonths(2));
  const cycles = await Promise.all([paying, trial].map(({ id }) => invoices(shop, id)));
  for (const all of cycles) assert.ok(all.length >= 2);
  assert.deepEqual(
    cycles[0]!.map(({ status, billing_date }) => [status, billing_date]),
    [0, 1, 2].map((count) => ['paid', inMonths(count)]),
  );
  assert.deepEqual([cycles[1]![0]!.status, cycles[1]![0]!.billing_date], ['paid', trialEnd()]);
  await assertAcquirerAgrees(service, shop.account);
});

describe('a payer whose bank refuses every later charge', () => {
  const attempts = async (id: string, cycle: number): Promise<[string, string][]> => {
    const { payments } = (await invoices(shop, id))[cycle - 1]!;
    return payments.map(({ refusal, billing_date }: Json) => [refusal.code, billing_date]);
  };

  test('for a reason that may pass: the charge is retried after 1, 3 and 7 days', async () => {
    const [paying, trial] = await bothRequestedBy(REFUSES_CHARGES, { retry_policy: true });
    await advanceTo(addDays(inMonths(1), 20));
    for (const [id, cycle, due] of [
      [paying.id, 2, inMonths(1)],
      [trial.id, 1, trialEnd()],
    ]) {
      assert.deepEqual(
        await attempts(id, cycle),
        [0, 1, 3, 7].map((days) => ['AM02', addDays(due, days)]),
      );
    }
    assert.deepEqual(await states(paying.id, trial.id), Array(2).fill(['payment_refused', 'refused']));
  });

  test('also if only the request names it, and the stored customer has none', async () => {
    const documents = [{ type: 'cpf', value: REFUSES_CHARGES_FINALLY }];
    const customer = { id: await shop.customer({ documents: [] }), documents };
    const ids = [(await requested(shop, { customer })).id];
    // Changed later, it keeps the payer of the boleto.
    const body = issuedBody({ payment_method: 'bank_slip' }, { customer: { ...PAYER, ...customer } });
    const changed = await created(subscribe(shop, body));
    await simulated(shop, changed.payment.id, 'paid');
    await putPixRecurring(shop, changed.id);
    await advanceTo(addDays(inMonths(1), 5));
    for (const id of [...ids, changed.id]) {
      assert.deepEqual(await attempts(id, 2), [['AC05', inMonths(1)]]);
    }
  });

  test('for a final reason: the charge is not retried', async () => {
    const [paying, trial] = await bothRequestedBy(REFUSES_CHARGES_FINALLY, { retry_policy: true });
    await advanceTo(addDays(inMonths(1), 20));
    assert.deepEqual(await attempts(paying.id, 2), [['AC05', inMonths(1)]]);
    assert.deepEqual(await attempts(trial.id, 1), [['AC05', trialEnd()]]);
    assert.deepEqual(await states(paying.id, trial.id), Array(2).fill(['payment_refused', 'refused']));
  });
});

test('an acquirer whose answers are lost: the outcomes are found out, and every cycle is paid once', async () => {
  const [paying, trial] = await withLostAnswers(service, () => bothRequestedBy(LOSES_ANSWERS));
  assert.deepEqual(
    [paying, trial].map(({ status, payment }) => [status, payment.status, payment.pix_recurring.qr_code]),
    [
      ['payment_pending', 'processing', null],
      ['payment_pending', 'scheduled', null],
    ],
  );
  await reconcile(service);
  for (const { id } of [paying, trial]) {
    assert.match((await read(id)).payment.pix_recurring.qr_code, /^000201/);
    await authorize(shop, id);
  }
  assert.deepEqual(await states(paying.id, trial.id), [
    ['payment_approved', 'paid'],
    ['trial_started', 'AUTHORIZED'],
  ]);
  await withLostAnswers(service, () => advanceTo(inMonths(1)));
  assert.deepEqual(await states(paying.id), [['payment_approved', 'paid']]);
  for (const [id, cycles] of [
    [paying.id, 2],
    [trial.id, 1],
  ]) {
    const paid = (await invoices(shop, id)).slice(0, cycles);
    assert.deepEqual(
      paid.map(({ status, payments }) => [status, payments.map(({ status }: Json) => status)]),
      Array(cycles).fill(['paid', ['paid']]),
    );
  }
  await assertAcquirerAgrees(service, shop.account);
});

test('a payer who disputes: each paid charge is disputed 2 days later, and the subscription continues', async () => {
  const { id } = await requestedBy(DISPUTED);
  await authorize(shop, id);
  await advanceTo(addDays(inMonths(1), 3));
  const payments = (await invoices(shop, id)).flatMap((invoice) => invoice.payments);
  assert.deepEqual(
    payments.map((payment: Json) => statusesOf(payment).slice(-2)),
    Array(2).fill(['paid', 'chargeback_requested']),
  );
  assert.equal((await read(id)).status, 'payment_approved');
});

test('a payer whose refunds fail: the refund of a cycle is denied, and the subscription continues', async () => {
  const { id, payment } = await requestedBy(REFUND_FAILS);
  await authorize(shop, id);
  const refund = await created(shop.refund(payment.id));
  assert.equal(refund.status, 'denied');
  assert.deepEqual(await states(id), [['payment_approved', 'paid']]);
});
