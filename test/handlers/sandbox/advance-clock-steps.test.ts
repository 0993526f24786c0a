import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import {
  advance,
  advanceBy,
  clockNow,
  DAY_MS,
  eventNames,
  MINUTE_MS,
  stepNames,
} from '../../support/clock-calls.ts';
import { loseAnswers } from '../../support/payments/acquirer-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';

const REFUND_SUCCEEDS_LATER = '4000000000007726';
const REFUND_DENIED_LATER = '4000000000005126';
const DISPUTED = '4000000000000259';
const DISPUTED_AND_LOST = '4000000000001273';
const APPROVED_LATE = '4000000000001133';

const service = await sharedService({ jobs: false });
let shop: Shop;
/** Each test moves the clock of another merchant. */
beforeEach(async () => {
  shop = await Shop.open(service);
});

describe('200, with what ran', () => {
  test('expires a Pix at its own time', async () => {
    const payment = await shop.pixPayment();
    const advanced = await advanceBy(shop, 31 * MINUTE_MS);
    const at = payment.pix.expires_at;
    assert.deepEqual(advanced.steps, [{ at, step: 'expire_pix', object_id: payment.id }]);
    assert.deepEqual(advanced.counts, { steps: 1, events: 1 });
    const expired = await shop.payment(payment.id);
    assert.deepEqual([expired.status, expired.updated_at], ['expired', at]);
    assert.deepEqual(expired.history.at(-1), { status: 'expired', at });
    const event = (await shop.events(payment.id)).at(-1);
    assert.deepEqual([event.event, event.created_at], ['payment.expired', at]);
    assert.deepEqual(advanced.events, [{ id: event.id, event: 'payment.expired', created_at: at }]);
  });

  test('expires a Pix exactly at its expiry, not before', async () => {
    const { id, pix } = await shop.pixPayment();
    const expiry = Date.parse(pix.expires_at);
    const early = await advance(shop, { to: new Date(expiry - 5_000).toISOString() });
    assert.equal(early.counts.steps, 0);
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
    const { steps, now } = await advance(shop, { to: new Date(expiry).toISOString() });
    assert.deepEqual([steps.length, steps[0].at, now], [1, pix.expires_at, pix.expires_at]);
  });

  test('completes or denies a refund a day after its request', async () => {
    const good = await shop.cardPayment({ number: REFUND_SUCCEEDS_LATER });
    const bad = await shop.cardPayment({ number: REFUND_DENIED_LATER });
    for (const { id } of [good, bad]) assert.equal((await created(shop.refund(id))).status, 'in_progress');
    assert.equal(
      (await advance(shop, { to: new Date((await clockNow(shop)) + DAY_MS - MINUTE_MS) })).counts.steps,
      0,
    );
    const advanced = await advanceBy(shop, 2 * MINUTE_MS);
    assert.deepEqual(stepNames(advanced), ['acquirer_refund_approved', 'acquirer_refund_refused']);
    assert.deepEqual(
      advanced.steps.map((step: Json) => step.object_id),
      [good.id, bad.id],
    );
    assert.deepEqual(eventNames(advanced), ['payment.refunded', 'payment.refund_denied']);
    assert.equal((await shop.payment(good.id)).status, 'refunded');
    assert.equal((await shop.payment(bad.id)).status, 'paid');
    const [refund] = (await shop.get(`/payments/${good.id}/refunds`)).data;
    assert.equal(refund.status, 'succeeded');
    const took_ms = Date.parse(refund.updated_at) - Date.parse(refund.created_at);
    assert.equal(took_ms, DAY_MS);
  });

  test('requests a chargeback two days after the payment, and ends it two days later', async () => {
    const open = await shop.cardPayment({ number: DISPUTED });
    const lost = await shop.cardPayment({ number: DISPUTED_AND_LOST });
    const advanced = await advance(shop, { days: 5 });
    assert.deepEqual(stepNames(advanced), [
      'acquirer_chargeback_requested',
      'acquirer_chargeback_requested',
      'acquirer_chargeback_lost',
    ]);
    assert.equal((await shop.payment(open.id)).status, 'chargeback_requested');
    const { status, history } = await shop.payment(lost.id);
    assert.equal(status, 'chargeback_lost');
    const at = (name: string) => Date.parse(history.find((step: Json) => step.status === name).at);
    assert.equal(at('chargeback_lost') - at('chargeback_requested'), 2 * DAY_MS);
  });

  test('completes pending operations of the acquirer, and those that follow', async () => {
    const late = await shop.cardPayment({ number: APPROVED_LATE });
    const itself = await shop.pixPayment(99_990_007);
    assert.equal(late.status, 'processing');
    const advanced = await advance(shop, { days: 3 });
    assert.deepEqual(stepNames(advanced), [
      'acquirer_authorization_approved',
      'acquirer_pix_paid',
      'acquirer_chargeback_requested',
    ]);
    assert.equal((await shop.payment(late.id)).status, 'paid');
    assert.equal((await shop.payment(itself.id)).status, 'chargeback_requested');
  });

  test('runs everything that is due in the order of time, ours and the acquirer’s', async () => {
    const disputed = await shop.cardPayment({ number: DISPUTED });
    const refunded = await shop.cardPayment({ number: REFUND_SUCCEEDS_LATER });
    await created(shop.refund(refunded.id));
    const start = await clockNow(shop);
    const pixExpiringIn = async (ms: number) => {
      const pix = { expires_at: new Date(start + ms).toISOString() };
      return (await shop.placed(shop.pixOrderBody(5_000, pix))).payment;
    };
    const last = await pixExpiringIn(3 * DAY_MS);
    const first = await pixExpiringIn(DAY_MS / 2);
    const middle = await pixExpiringIn(1.5 * DAY_MS);
    const advanced = await advance(shop, { days: 4 });
    assert.deepEqual(
      advanced.steps.map(({ step, object_id }: Json) => [step, object_id]),
      [
        ['expire_pix', first.id],
        ['acquirer_refund_approved', refunded.id],
        ['expire_pix', middle.id],
        ['acquirer_chargeback_requested', disputed.id],
        ['expire_pix', last.id],
      ],
    );
    const times = advanced.steps.map((step: Json) => step.at);
    assert.deepEqual(times, [...times].sort());
    assert.deepEqual(
      advanced.events.map((event: Json) => event.created_at),
      times,
    );
  });

  test('finds the outcome of a lost answer before the clock moves', async () => {
    const asked = await shop.cardOrderBody({ number: DISPUTED });
    const lost = loseAnswers(service);
    const { payment } = await shop.placed(asked);
    lost.undo();
    assert.equal(payment.status, 'processing');
    const advanced = await advance(shop, { days: 2 });
    assert.deepEqual(stepNames(advanced), ['reconcile_authorize', 'acquirer_chargeback_requested']);
    const [settled, disputed] = advanced.steps;
    assert.ok(Date.parse(settled.at) < Date.parse(disputed.at) - DAY_MS);
    assert.equal((await shop.payment(payment.id)).status, 'chargeback_requested');
  });

  test('returns only the events of this advance', async () => {
    const first = await shop.pixPayment();
    await advance(shop, { days: 1 });
    const second = await shop.pixPayment();
    const { events, counts } = await advance(shop, { days: 1 });
    assert.deepEqual([counts, events.length], [{ steps: 1, events: 1 }, 1]);
    assert.equal((await shop.events(second.id)).at(-1).id, events[0].id);
    assert.equal((await shop.events(first.id)).at(-1).event, 'payment.expired');
  });

  test('does not return an event from just before its beginning', async () => {
    await shop.pixPayment();
    await service.rows(
      `update events set created_at = :soon where merchant_id = :account and event = 'payment.created'
       returning slot`,
      { account: shop.account, soon: new Date((await clockNow(shop)) + MINUTE_MS) },
    );
    assert.deepEqual(eventNames(await advance(shop, { days: 1 })), ['payment.expired']);
  });

  test('counts all and lists the first 1,000', async () => {
    await shop.pixPayment();
    await service.rows(
      `with original as (select * from payments where merchant_id = :account),
       copies as (
         insert into orders (slot, merchant_id, id, code, customer_id, mcc, amount_centavos, created_at)
         select slot, merchant_id, gen_random_uuid(), n, customer_id, mcc, amount_centavos, created_at
           from original, generate_series(1, 1100) n
         returning id, code)
       insert into payments (slot, merchant_id, id, hash, order_id, customer_id, status, method, amount_centavos,
         reference, mcc, details, history, due_at, created_at, updated_at)
       select slot, merchant_id, gen_random_uuid(), hash || code, copies.id, customer_id, 'waiting_payment', method,
         amount_centavos, reference || code, mcc, details::jsonb || jsonb_build_object('txid', txid || code), history, due_at, created_at,
         updated_at
       from original, copies
       returning slot`,
      { account: shop.account },
    );
    await service.rows(
      `insert into payment_operations (slot, merchant_id, id, payment_id, kind, amount_centavos, payment_amount_centavos,
         reference, state, settled_at, created_at)
       select p.slot, p.merchant_id, gen_random_uuid(), p.id, o.kind, o.amount_centavos, o.payment_amount_centavos,
         p.reference, o.state, o.settled_at, o.created_at
       from payments p, payment_operations o
       where p.merchant_id = :account and o.merchant_id = :account and p.id <> o.payment_id
       returning slot`,
      { account: shop.account },
    );
    const [original] = await service.rows<{ reference: string }>(
      'select reference from simulator.payments where account = :account',
      { account: shop.account },
    );
    // The acquirer does not have the copies.
    const spy = service.intercept((real) => ({
      inquire: (inquiry) => real.inquire({ ...inquiry, reference: original!.reference }),
    }));
    const { counts, steps, events } = await advance(shop, { days: 1 }).finally(spy.undo);
    assert.deepEqual(counts, { steps: 1_101, events: 1_101 });
    assert.deepEqual([steps.length, events.length], [1_000, 1_000]);
    assert.equal(new Set(steps.map((step: Json) => step.object_id)).size, 1_000);
  });
});
