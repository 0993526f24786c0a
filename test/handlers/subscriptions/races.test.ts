/** Many requests, notifications and workers at one subscription at the same moment. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { cancelMandates } from '../../support/run-jobs.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import type { Json, TestAnswer } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import {
  authorize,
  authorized,
  mandateStates,
  putPixRecurring,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { offerOf, paymentsOf } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, story, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { until } from '../../support/until.ts';

const CROWD = 50;
const SEEDS = Number(process.env.ATTACK_SEEDS ?? 2);

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
  await changeMerchant(service.deps, shop.account, { rateLimitPerMinute: 1_000_000 });
});

/** Sends a request again as long as the service has too much to do. */
async function insist(send: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503 || answer.body.error.code !== 'overloaded') return answer;
  }
}

const crowd = (send: (index: number) => Promise<TestAnswer>) =>
  Promise.all(Array.from({ length: CROWD }, (_, index) => insist(() => send(index))));

function statusesOf(answers: readonly TestAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const named = async (event: string) =>
  (await story(shop)).filter((line) => line.startsWith(`${event} `)).length;

describe('50 identical requests at once', () => {
  test('cancel a subscription once', async () => {
    const { id } = await subscribed(shop);
    const answers = await crowd(() => shop.post('/subscriptions/cancel', { id }));
    assert.deepEqual(statusesOf(answers), { 200: 1, 422: CROWD - 1 });
    assert.equal(await named('subscription.canceled'), 1);
  });

  test('charge an upgrade once', async () => {
    const { id } = await subscribed(shop);
    const body = { offer_id: await offerOf(shop, 9_990), effective: 'immediate' };
    const answers = await crowd(() => shop.post(`/subscriptions/${id}/change-plan`, body));
    assert.deepEqual(Object.keys(statusesOf(answers)), ['200', '409']);
    const charged = (await paymentsOf(shop, id)).filter(({ status }) => status === 'paid');
    assert.deepEqual(
      charged.map(({ amount }) => amount),
      [4_990, 5_000],
    );
  });

  test('give the credit of a cheaper plan once', async () => {
    const { id } = await subscribed(shop);
    const body = { offer_id: await offerOf(shop, 1_990), effective: 'immediate' };
    const answers = await crowd(() => shop.post(`/subscriptions/${id}/change-plan`, body));
    assert.deepEqual(statusesOf(answers), { 200: CROWD });
    assert.equal(answers.filter(({ body }) => body.data.delta < 0).length, 1);
    assert.equal((await shop.get(`/subscriptions/${id}`)).credit_balance, 3_000);
  });

  test('change to Pix recurring by one mandate, and cancel it once', async () => {
    const { id } = await subscribed(shop);
    await crowd(() => putPixRecurring(shop, id));
    await cancelMandates(service.deps);
    assert.equal((await mandateStates(shop)).filter((state) => state === 'created').length, 1);
    assert.equal((await authorize(shop, id)).payment_method, 'pix_recurring');
    const answers = await crowd(() => shop.post('/subscriptions/cancel', { id }));
    assert.deepEqual(statusesOf(answers), { 200: 1, 422: CROWD - 1 });
    assert.equal(await named('subscription.deleted'), 1);
    await cancelMandates(service.deps);
    assert.deepEqual([...new Set(await mandateStates(shop))], ['canceled']);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('charge an overdue cycle once, with the new card', async () => {
    const { id, customer_id } = await subscribed(shop, {}, '4000000000009995');
    const cardId = await shop.card(customer_id);
    const body = { payment_method: 'credit_card', credit_card: { id: cardId } };
    const answers = await crowd(() => shop.call('PUT', `/subscriptions/${id}/payment-method`, { body }));
    assert.deepEqual(statusesOf(answers), { 200: CROWD });
    const paid = (await paymentsOf(shop, id)).filter(({ status }) => status === 'paid');
    assert.equal(paid.length, 1);
    assert.equal(await named('subscription.charge_succeeded'), 1);
  });

  test('reactivate a subscription once', async () => {
    const { id } = await subscribed(shop);
    await shop.post('/subscriptions/cancel', { id });
    const answers = await crowd(() => shop.post(`/subscriptions/${id}/reactivate`));
    assert.deepEqual(statusesOf(answers), { 200: 1, 422: CROWD - 1 });
  });

  test('create a subscription once, if they have one code', async () => {
    const { customer_id, card_id } = await subscribed(shop);
    const body = {
      code: 'one',
      mcc: '5734',
      interval: 'monthly',
      customer: { id: customer_id },
      payment: { amount: 4_990, payment_method: 'credit_card', credit_card: { id: card_id } },
    };
    const answers = await crowd(() => subscribe(shop, body));
    assert.deepEqual(statusesOf(answers), { 201: 1, 422: CROWD - 1 });
    assert.equal((await shop.get('/payments')).data.length, 2);
  });
});

describe('a mandate whose request is still on its way to the acquirer', () => {
  /** Runs `work` while the first request for a mandate waits before the acquirer gets it. */
  async function whileRequestWaits(
    ask: () => Promise<TestAnswer>,
    work: () => Promise<unknown>,
  ): Promise<TestAnswer> {
    const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const spy = service.intercept((real) => ({
      mandate: async (command) => {
        spy.undo();
        sent.resolve();
        await released.promise;
        return real.perform(command);
      },
    }));
    const asked = ask();
    await sent.promise;
    await work();
    released.resolve();
    return asked;
  }

  test('is canceled after it, if another one replaces it', async () => {
    const { id } = await subscribed(shop);
    const answer = await whileRequestWaits(
      () => putPixRecurring(shop, id),
      async () => {
        assert.equal((await putPixRecurring(shop, id)).status, 200);
        await cancelMandates(service.deps);
      },
    );
    assert.equal(answer.status, 200);
    service.setAhead(2 * MINUTE_MS);
    await cancelMandates(service.deps);
    service.setAhead(0);
    assert.deepEqual(await mandateStates(shop), ['canceled', 'created']);
    assert.equal((await authorize(shop, id)).payment_method, 'pix_recurring');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is canceled after it, if the subscription is canceled', async () => {
    const { id } = await subscribed(shop);
    await whileRequestWaits(
      () => putPixRecurring(shop, id),
      async () => assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200),
    );
    await cancelMandates(service.deps);
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    await assertAcquirerAgrees(service, shop.account);
  });
});

/** Requests that change one subscription, by name. */
function requestsAt({ id, payment }: Json, offers: readonly string[], cards: readonly string[]) {
  const change = (offer_id: string, effective: string) =>
    shop.post(`/subscriptions/${id}/change-plan`, { offer_id, effective });
  const pay = (body: object) => shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
  return [
    () => shop.post('/subscriptions/cancel', { id }),
    () => shop.post(`/subscriptions/${id}/reactivate`),
    ...offers.flatMap((offer) => [() => change(offer, 'immediate'), () => change(offer, 'next_cycle')]),
    ...cards.map((card) => () => pay({ payment_method: 'credit_card', credit_card: { id: card } })),
    () => pay({ payment_method: 'pix' }),
    () => shop.post(`/payments/${payment.id}/refunds`, { amount: 1_000 }),
    () => shop.post(`/sandbox/payments/${payment.id}/simulate`, { outcome: 'chargeback_requested' }),
    () => shop.post('/sandbox/clock/advance', { days: 16 }),
    () => shop.call('GET', `/subscriptions/${id}/invoices`),
  ];
}

/** A cycle has one paid payment at most, and its invoice says the same. */
async function assertPaidOnce(id: string): Promise<void> {
  for (const invoice of await invoices(shop, id)) {
    const paid = invoice.payments.filter(({ captured_amount }: Json) => captured_amount > 0);
    assert.ok(paid.length <= 1, `cycle ${invoice.cycle} was paid ${paid.length} times`);
  }
}

describe('50 different requests at once', () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    test(`leave one subscription whose records and money agree (seed ${seed})`, async () => {
      const random = new SeededRandom(seed);
      const subscription = await subscribed(shop);
      const offers = [await offerOf(shop, 9_990), await offerOf(shop, 1), await offerOf(shop, 2_490)];
      const cards = [await shop.card(subscription.customer_id, '5555555555554444'), subscription.card_id];
      const requests = requestsAt(subscription, offers, cards);
      const answers = await crowd(() => random.pick(requests)());
      // An upgrade whose card was changed at the same moment is not sent, and can be requested again.
      const failed = answers.filter(({ status, text }) => status >= 500 && !text.includes('Try again.'));
      assert.deepEqual(
        failed.map(({ status, text }) => [status, text]),
        [],
      );
      await until('the clock has arrived', async () => (await shop.get('/sandbox/clock')).status === 'idle');
      assert.equal((await shop.post('/sandbox/clock/advance', { days: 70 })).status, 200);
      await assertPaidOnce(subscription.id);
      await assertAcquirerAgrees(service, shop.account);
      const errors = service.log.filter(({ level }) => level === 'error');
      assert.deepEqual(errors, []);
    });
  }
});

describe('two charges of one cycle that are paid at the same moment', () => {
  for (const [payment_method, type] of [
    ['bank_slip', 'bank_slip.paid'],
    ['pix', 'pix.paid'],
  ] as const) {
    test(`pay it once, and the other money is reported (${payment_method})`, async () => {
      for (let round = 1; round <= 4; round += 1) {
        const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method })));
        await shop.post('/sandbox/clock/advance', { days: 12 });
        const second = (await shop.get(`/subscriptions/${id}`)).payment;
        assert.notEqual(second.id, payment.id);
        const reports = await Promise.all(
          [payment.id, second.id].map(async (paymentId) =>
            notification(shop.account, await shop.reference(paymentId), type, { amount_centavos: 4_990 }),
          ),
        );
        const answers = await Promise.all(reports.map((report) => deliver(service, report)));
        assert.deepEqual(answers, [204, 204]);
        for (const report of reports) assert.equal(await deliver(service, report), 204);
        const statuses = (await paymentsOf(shop, id)).map(({ status }) => status);
        assert.equal(statuses.filter((status) => status === 'paid').length, 1, statuses.join());
        const { status, successful_charges } = await shop.get(`/subscriptions/${id}`);
        assert.deepEqual([status, successful_charges], ['active', 1]);
        const found = await discrepanciesOf(service, shop.account);
        assert.equal(found.filter(({ reason }) => reason === 'cycle_paid_twice').length, round);
      }
    });
  }
});

test('a request sends the cancellations of a charge and of its mandate at the same time', async () => {
  const { id } = await authorized(shop);
  const day = billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);
  await advance(shop, { to: `${addDays(day, -1)}T06:00:00-03:00` });
  let sent = 0;
  const spy = service.intercept((real) => ({
    perform: async (command) => {
      if (command.kind === 'cancel' || command.kind === 'cancel_mandate') {
        sent += 1;
        await until('the other cancellation is sent', () => sent === 2);
      }
      return real.perform(command);
    },
  }));
  const answer = await shop.post('/subscriptions/cancel', { id });
  spy.undo();
  assert.deepEqual([answer.status, answer.body.payment.status], [200, 'canceled']);
  assert.deepEqual(await mandateStates(shop), ['canceled']);
});
